"""Any sequence of puts, removals, sweeps and pins leaves both stores with the same records and a right counter."""

import contextlib
import itertools
import os
import shutil
import tempfile

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from caveman_engine.errors import BudgetExceeded, CavemanError
from caveman_engine.recovery.memory import MemoryShelf
from caveman_engine.recovery.records import Record
from caveman_engine.recovery.sqlite import SqliteShelf
from caveman_engine.recovery.store import RecoveryStore

ORIGINALS = st.sampled_from([b"", b"a", b"bb" * 100, b"zstd " * 2000, bytes(range(256)) * 12])
METADATA = st.sampled_from([{}, {"q": "x"}, {"q": "y" * 40}])


class Both(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        # Each store has a clock of its own that shows the same times.
        self.stores = [
            RecoveryStore(shelf, 4000, clock=itertools.count(10**18, 10**9).__next__)
            for shelf in (MemoryShelf(), SqliteShelf(os.path.join(self.folder, "ccr.db")))
        ]
        self.originals = {}

    def teardown(self):
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)

    def both(self, action):
        """Do the same to both; they must answer alike, errors included."""
        answers = []
        for store in self.stores:
            try:
                answers.append(action(store))
            except CavemanError as error:
                answers.append((error.code, error.what))
        assert answers[0] == answers[1]
        return answers[0]

    @rule(original=ORIGINALS, metadata=METADATA)
    def put(self, original, metadata):
        handle = self.both(lambda store: store.put(Record(content_type="log", metadata=metadata), original))
        if isinstance(handle, str):
            self.originals[handle] = original
        else:
            assert handle[0] == BudgetExceeded.code

    @rule(original=ORIGINALS, session=st.sampled_from(["s", "t"]), data=METADATA, number=st.integers(0, 9))
    def put_object(self, original, session, data, number):
        known = sorted(self.originals)
        needed = [known[number % len(known)]] if known and number % 2 else []
        made = self.both(
            lambda store: store.put_object(
                "TestResult", original, session_id=session, data=data, dependencies=needed
            )
        )
        if not isinstance(made, tuple):
            self.originals[made.handle] = original

    @rule(number=st.integers(0, 9))
    def rm(self, number):
        if known := sorted(self.originals):
            self.both(lambda store: store.rm(known[number % len(known)]))

    @rule(number=st.integers(0, 9))
    def rm_object(self, number):
        if made := self.stores[0].objects():
            self.both(lambda store: store.rm(made[number % len(made)].object_id))

    @rule(number=st.integers(0, 9), pinned=st.booleans())
    def pin(self, number, pinned):
        if known := sorted(self.originals):
            self.both(lambda store: store.pin(known[number % len(known)], pinned=pinned))

    @rule(age=st.sampled_from([0, 3, 20]), dry_run=st.booleans())
    def gc(self, age, dry_run):
        self.both(lambda store: store.gc(age, dry_run=dry_run))

    @invariant()
    def both_hold_the_same_and_nothing_is_wrong(self):
        self.both(
            lambda store: [(row.handle, row.pinned, row.view_id, row.stored_bytes) for row in store.ls()]
        )
        self.both(lambda store: store.objects())
        held = self.both(lambda store: store.stats().stored_bytes)
        assert 0 <= held <= 4000
        assert self.both(lambda store: store.verify().problems) == ()
        for handle in list(self.originals):
            with contextlib.suppress(CavemanError):
                assert self.stores[1].get(handle) == self.originals[handle]


TestBoth = Both.TestCase
TestBoth.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
