"""The command cavemem, which is also ``caveman mem``: the verbs of a fact's life. Parses and prints; no work.

stdout is data, stderr is talk. What looks after the files as a whole stands in `cli_care`.
"""

import sys
from collections.abc import Sequence
from json import dumps, loads
from typing import TYPE_CHECKING, Annotated

import typer

from caveman_engine import console
from caveman_engine.errors import UsageError
from caveman_mem.fast import BUDGET, LIMIT, remembered
from caveman_mem.reading import note_on

if TYPE_CHECKING:
    from caveman_mem.hits import Hit
    from caveman_mem.memory import Memory
    from caveman_mem.store import MemoryStore

app = typer.Typer(
    name="cavemem",
    help="Facts that last: exact text, found by their words, forgotten for good when you say so.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _ids(incomplete: str) -> list[tuple[str, str]]:
    """Complete ids of the newest facts, each with the beginning of its text."""
    with open_store() as store:
        facts = store.list(newest=True, limit=200)
    return [(fact.id, " ".join(fact.text.split())[:60]) for fact in facts if fact.id.startswith(incomplete)]


Id = Annotated[str, typer.Argument(help="A memory's id: mem_ and 16 digits.", autocompletion=_ids)]
Words = Annotated[list[str], typer.Argument(help="All words are the text.", show_default=False)]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", help="Exact; may be given several times.")]
Kind = Annotated[str | None, typer.Option("--kind", help="A free word, such as decision.")]
Scope = Annotated[str | None, typer.Option("--scope", help="Instead of this folder's project.")]
AllScopes = Annotated[bool, typer.Option("--all-scopes", help="Facts of every project.")]
Since = Annotated[
    str | None, typer.Option("--since", help="From this day or time on: 2026-03-04, yesterday.")
]
Until = Annotated[str | None, typer.Option("--until", help="Up to this time, or the end of this day.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="What was believed at this time.")]
Stdin = Annotated[bool, typer.Option("--stdin", help="The text is standard input, byte for byte.")]
File = Annotated[str | None, typer.Option("--file", "-f", help="The text is in this file.")]
Source = Annotated[str, typer.Option("--source", help="Who says it: user, agent:NAME.")]
Session = Annotated[str | None, typer.Option("--session", help="What belongs together is found together.")]
Mask = Annotated[bool, typer.Option("--mask", help="Store it with its secrets masked.")]
Allow = Annotated[bool, typer.Option("--allow-secret", help="Store it as it stands.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


def open_store(*, counting: bool = False) -> "MemoryStore":
    """Open the memory with the policy that the settings name; a single fact is not worth loading a tokenizer."""
    from caveman_engine import config
    from caveman_mem.store import MemoryStore

    return MemoryStore.open(secrets=config.load().get("mem.secrets"), counting=counting)


def scope_of(given: str | None) -> str:
    """Give the scope: as asked, as set, or this folder's project."""
    from caveman_engine import config
    from caveman_mem.scopes import scope_here

    return given or config.load().get("mem.scope") or scope_here()


@app.command(
    epilog="Examples:  caveman mem remember 'the cache answers on port 7001' --tag infra   ·   "
    "caveman mem remember --file decisions.md --kind decision   ·   caveman mem remember -- --help is a flag"
)
def remember(
    words: Words = [],  # noqa: B006 - Typer reads it, nobody writes it
    tag: Tags = None,
    kind: Kind = None,
    scope: Scope = None,
    source: Source = "user",
    session: Session = None,
    stdin: Stdin = False,
    file: File = None,
    mask: Mask = False,
    allow_secret: Allow = False,
    as_json: Json = False,
) -> None:
    """Store a fact; a second time says that it is known. Secrets are refused, <private> parts left out."""
    text = _text(words, stdin=stdin, file=file)
    with open_store() as store:
        memory = store.remember(
            text,
            scope=scope_of(scope),
            tags=tag or (),
            kind=kind,
            source=source,
            session=session,
            secrets=policy_of(mask=mask, allow=allow_secret),
        )
    _say_stored(memory, as_json=as_json)


@app.command(
    epilog="Examples:  caveman mem recall which port does the cache use   ·   "
    "caveman mem recall deploy --since yesterday --tag infra --json"
)
def recall(
    words: Annotated[list[str], typer.Argument(help="A question or words; nothing in it is syntax.")],
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many facts, up to 100.")] = LIMIT,
    budget: Annotated[
        int, typer.Option("--budget", "-b", help="Tokens for the whole reply; 0: no limit.")
    ] = BUDGET,
    scope: Scope = None,
    all_scopes: AllScopes = False,
    tag: Tags = None,
    kind: Kind = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    min_score: Annotated[float, typer.Option("--min-score", help="Leave out what scores less.")] = 0.0,
    explain: Annotated[bool, typer.Option("--explain", help="Say how each score came about.")] = False,
    as_json: Json = False,
) -> None:
    """Find facts, best first, within a budget of tokens. Finding nothing is no error."""
    with open_store() as store:
        found = store.recall(
            " ".join(words),
            limit=limit,
            budget=budget,
            scope=scope_of(scope),
            all_scopes=all_scopes,
            tags=tag or (),
            kind=kind,
            since=since,
            until=until,
            as_of=as_of,
            min_score=min_score,
            explain=explain,
            look=_JsonLook(note_on(" ".join(words), limit)) if as_json else None,
        )
    if as_json and explain:
        console.print_json({**loads(found.reply), "explain": list(found.explained)})
        return
    console.write(found.reply.encode("utf-8", "surrogatepass"))
    if as_json:
        return
    if found.note:
        console.say(found.note)
    for hit, why in zip(found.hits, found.explained, strict=False):
        terms = ", ".join(
            f"{term['term']} ({term['facts']} facts, idf {term['idf']})" for term in why["terms"]
        )
        console.say(
            f"{hit.id} {why['score']} = bm25 {why['bm25']} + date {why['date']} + context {why['context']};"
            f" floor {why['floor']}; {terms}"
        )


@app.command(
    epilog="Examples:  caveman mem recover mem_0123456789abcdef   ·   caveman mem recover ccr_… | wc -c"
)
def recover(
    reference: Annotated[
        str, typer.Argument(help="A handle of a passage, or a memory's id.", autocompletion=_ids)
    ],
) -> None:
    """Print the exact bytes behind a handle or an id."""
    with open_store() as store:
        data = store.recover(reference)
    console.write(data)


@app.command(epilog="Example:  caveman mem supersede mem_0123456789abcdef the cache answers on port 7002")
def supersede(
    memory_id: Id,
    words: Words = [],  # noqa: B006
    source: Source = "user",
    session: Session = None,
    stdin: Stdin = False,
    file: File = None,
    mask: Mask = False,
    allow_secret: Allow = False,
    as_json: Json = False,
) -> None:
    """Replace what a fact says. The old version is no longer recalled; history shows it."""
    text = _text(words, stdin=stdin, file=file)
    with open_store() as store:
        policy = policy_of(mask=mask, allow=allow_secret)
        memory = store.supersede(memory_id, text, source=source, session=session, secrets=policy)
    _say_stored(memory, as_json=as_json)


@app.command()
def history(memory_id: Id, as_json: Json = False) -> None:
    """Print every version of a fact, oldest first, from any of them."""
    with open_store() as store:
        _print_memories(store.history(memory_id), as_json=as_json)


@app.command(
    epilog="Examples:  caveman mem forget mem_0123456789abcdef --chain   ·   "
    "caveman mem forget 'the cache answers on port 7001'"
)
def forget(
    words: Annotated[
        list[str], typer.Argument(help="Ids, or exactly the text of one fact.", autocompletion=_ids)
    ],
    chain: Annotated[bool, typer.Option("--chain", help="With all versions of the history.")] = False,
    scope: Scope = None,
    as_json: Json = False,
) -> None:
    """Erase facts: rows, index, recovery copies. A text must match exactly, otherwise nothing is removed."""
    from caveman_mem.identity import is_id

    with open_store() as store, console.working("erasing"):
        if all(is_id(word) for word in words):
            done = store.forget(*words, chain=chain)
        else:
            done = store.forget_text(" ".join(words), scope=scope_of(scope), chain=chain)
    if as_json:
        console.print_json(
            {name: getattr(done, name) for name in ("ids", "current_again", "copies", "erased")}
        )
    else:
        console.write("".join(f"{name} forgotten\n" for name in done.ids).encode())
    for name in done.current_again:
        console.say(f"{name} holds again: what had superseded it is gone")
    if not done.erased:
        console.say("erasing is not finished: another process is reading; the next write finishes it")
    console.say("if it was ever compressed, the engine's own store may hold it too: caveman tools ccr ls")


@app.command("list")
def list_(
    scope: Scope = None,
    all_scopes: AllScopes = False,
    tag: Tags = None,
    kind: Kind = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="At most this many.", min=1)] = None,
    after: Annotated[
        str | None, typer.Option("--after", help="Go on behind this id.", autocompletion=_ids)
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="Newest first.")] = False,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned ones.")] = False,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Old versions and expired ones too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print facts in the order in which they came."""
    with open_store() as store:
        memories = store.list(
            scope=scope_of(scope),
            all_scopes=all_scopes,
            tags=tag or (),
            kind=kind,
            since=since,
            until=until,
            as_of=as_of,
            limit=limit,
            after=after,
            newest=newest,
            pinned=pinned,
            superseded=superseded,
        )
    _print_memories(memories, as_json=as_json)


@app.command()
def show(memory_id: Id, as_json: Json = False) -> None:
    """Print all that is known about a fact."""
    with open_store() as store:
        memory = store.get(memory_id)
    if as_json:
        console.print_json(memory.as_dict())
        return
    rows = [
        f"{name}: {', '.join(value) if isinstance(value, list) else value}"
        for name, value in memory.as_dict().items()
        if name != "text" and value not in (None, [])
    ]
    console.write(("\n".join(rows) + "\n\n" + memory.text + "\n").encode("utf-8", "surrogatepass"))


@app.command(
    epilog="Examples:  caveman mem edit mem_0123456789abcdef --pin   ·   … --tag infra --expires 2027-01-01"
)
def edit(
    memory_id: Id,
    tag: Tags = None,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Take all tags off.")] = False,
    kind: Annotated[str | None, typer.Option("--kind", help='A free word; "" takes it off.')] = None,
    pin: Annotated[
        bool | None, typer.Option("--pin/--unpin", help="Wins ties, and is shown at a session's start.")
    ] = None,
    expires: Annotated[str | None, typer.Option("--expires", help="A day or time, or never.")] = None,
    as_json: Json = False,
) -> None:
    """Change what is beside the text; the text and the time of creation stay. The tags given replace the old."""
    if tag is None and not no_tags and kind is None and pin is None and expires is None:
        raise UsageError("nothing to change", hint="--tag, --no-tags, --kind, --pin, --unpin or --expires")
    with open_store() as store:
        memory = store.edit(memory_id, tags=[] if no_tags else tag, kind=kind, pinned=pin, expires=expires)
    _print_memories([memory], as_json=as_json)


class _JsonLook:
    """The reply as ``--json`` prints it, so that the budget holds for it too."""

    def __init__(self, note: str | None) -> None:
        self._note = note

    def reply(self, hits: "Sequence[Hit]", omitted: "Sequence[str]", more: int) -> str:
        """Give one line; ``more`` facts were left out beyond the named ones."""
        from caveman_mem.memory import hit_dict

        shown = [hit_dict(hit) for hit in hits]
        found = {"hits": shown, "omitted": list(omitted), "more": more, "note": self._note, "explain": None}
        return dumps(found, ensure_ascii=False) + "\n"


def _text(words: list[str], *, stdin: bool, file: str | None) -> str:
    """Give the text of a fact from exactly one of the places where it can stand."""
    from caveman_mem.errors import NotText

    if bool(words) + stdin + (file is not None) != 1:
        raise UsageError("the text stands in words, in --stdin or in --file: one of them")
    if words:
        return " ".join(words)
    try:
        if file is None:
            data = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as opened:
                data = opened.read()
    except OSError as error:
        raise UsageError(f"cannot read the file: {error.strerror}", where=file) from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotText("the text is not UTF-8", where=f"byte {error.start}") from None


def policy_of(*, mask: bool, allow: bool) -> str | None:
    """Give the policy that the options ask for; None leaves it to the settings."""
    if mask and allow:
        raise UsageError("--mask and --allow-secret exclude each other")
    return "mask" if mask else "allow" if allow else None


def _say_stored(memory: "Memory", *, as_json: bool) -> None:
    if as_json:
        console.print_json({**memory.as_dict(), "already_known": memory.already_known})
    else:
        console.write(remembered(memory.id, known=memory.already_known).encode())


def _print_memories(memories: "Sequence[Memory]", *, as_json: bool) -> None:
    from caveman_mem.reply import header, text_reply

    if as_json:
        console.print_json({"memories": [memory.as_dict() for memory in memories]})
        return
    here = scope_of(None)
    shown = [(header(fact, here, "" if fact.current else "superseded"), fact.text) for fact in memories]
    console.write(text_reply(shown).encode("utf-8", "surrogatepass"))


def main() -> None:
    """Run cavemem as a program."""
    console.run(app, prog="cavemem")


from caveman_mem import cli_care  # noqa: E402, F401 - its commands join this app
