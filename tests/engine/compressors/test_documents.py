"""Several files in one message: tags stay, and no line of one stands under another."""

import pytest

from caveman_engine import Engine, RecoveryStore
from caveman_engine.compressors import documents
from caveman_engine.payload import parse

CODE = "".join(f"def f{n}(x):\n    return x + {n}\n" for n in range(100))
LOG = "".join(f"INFO step {n} ok\n" for n in range(900)).replace("INFO step 500 ok", "ERROR disk full")
TWO = f'<file path="a.py">\n{CODE}</file>\n<file path="b.log">\n{LOG}</file>\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        CODE,
        f"<file>\n{CODE}</file>\n",
        f'<file path="a">\n{CODE}</file>\n<file path="b">\n{LOG}',
        "<file>\n</file>\n",
    ],
    ids=["empty", "no tags", "one document", "the second is not closed", "an empty document"],
)
def test_it_is_not_several_documents(text):
    assert documents.detect(parse(text.encode())) == 0.0


def test_both_tags_stay_and_each_document_is_seen_as_its_own_type_cmp_71():
    box = Engine(RecoveryStore.in_memory())
    result = box.compress(TWO)
    view = result.output.decode()
    assert result.compressor == "documents"
    first, second = view.index('<file path="a.py">'), view.index('<file path="b.log">')
    assert view.count("</file>") == 2
    assert "ERROR disk full" in view[second:]
    assert "INFO step" not in view[first:second]
    assert "def f0" in view[first:second]
    assert box.retrieve(result.recovery_handle) == TWO.encode()


def test_text_between_documents_is_kept():
    text = f'Please compare.\n<document a="1">\n{LOG}</document>\nand\n<document>\n{LOG}</document>\nThank you.\n'
    view = Engine(RecoveryStore.in_memory()).compress(text).output.decode()
    assert view.startswith("Please compare.\n<document a=")
    assert "\nand\n<document>" in view
    assert "</document>\nThank you.\n[caveman: showing" in view
