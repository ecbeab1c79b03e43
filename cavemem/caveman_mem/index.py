"""The search index: what it holds of a fact, and how it is kept in step with the rows. On the start-up path.

A fact's ``terms`` are its `index_terms` and those of its tags, then facets: ``@`` and the scope in hex, ``#`` and
each tag in hex. Facets let a common word be searched within one scope. Counts of rows a term are kept beside
the index, because FTS5 would have to walk a posting list to count it.
"""

from collections import Counter  # loaded by sqlite3 anyway

from caveman_engine.database import Database
from caveman_engine.terms import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BATCH = 500


def scope_facet(scope: str) -> str:
    """Give the index term of a scope."""
    return "@" + scope.encode("utf-8", "surrogatepass").hex()


def tag_facet(tag: str) -> str:
    """Give the index term of a tag."""
    return "#" + tag.encode("utf-8", "surrogatepass").hex()


def terms_of(text: str, scope: str, tags: "Sequence[str]") -> tuple[str, int]:
    """Give what the index holds of a fact, space-joined, and its length in exact terms of the text."""
    terms = index_terms(text)
    length = len(terms) - (" " + " ".join(terms)).count(" ~")
    for tag in tags:
        terms += index_terms(tag)
    terms.append(scope_facet(scope))
    terms += [tag_facet(tag) for tag in tags]
    return " ".join(terms), length


def add(database: Database, rows: "Sequence[tuple[int, str, int]]") -> None:
    """Index (number, terms, length) of new rows. Inside the transaction that inserted them."""
    database.executemany("INSERT INTO memory_index (rowid, terms) VALUES (?, ?)", [row[:2] for row in rows])
    count(database, [terms for _, terms, _ in rows], 1)
    database.execute(
        "UPDATE corpus SET facts = facts + ?, length = length + ?", (len(rows), sum(row[2] for row in rows))
    )


def remove(database: Database, number: int, terms: str, length: int) -> None:
    """Take one row out of the index, before the row itself is deleted or changed."""
    database.execute(
        "INSERT INTO memory_index (memory_index, rowid, terms) VALUES ('delete', ?, ?)", (number, terms)
    )
    count(database, [terms], -1)
    database.execute("DELETE FROM term WHERE facts <= 0")
    database.execute("UPDATE corpus SET facts = facts - 1, length = length - ?", (length,))


def count(database: Database, rows: "Iterable[str]", step: int) -> None:
    """Move the number of rows that hold each term."""
    counts: Counter[str] = Counter()
    for terms in rows:
        counts.update(set(terms.split(" ")))
    database.executemany(
        "INSERT INTO term (term, facts) VALUES (?, ?)"
        " ON CONFLICT (term) DO UPDATE SET facts = facts + excluded.facts",
        [(term, step * facts) for term, facts in sorted(counts.items())],
    )


def rebuild(database: Database) -> int:
    """Make the whole index anew from the rows, with today's tokeniser. Gives the number of rows.

    Also mends an index whose tables were emptied or damaged from outside.
    """
    with database.transaction():
        _drop(database)
        database.execute(CREATE)
        database.execute("DELETE FROM term")
        database.execute("UPDATE corpus SET facts = 0, length = 0")
        if database.value("SELECT count(*) FROM corpus") == 0:
            database.execute("INSERT INTO corpus (facts, length) VALUES (0, 0)")
        last, total = -1, 0
        while rows := database.rows(
            "SELECT number, text, scope, tags FROM memory WHERE number > ? ORDER BY number LIMIT ?",
            (last, _BATCH),
        ):
            total += len(rows)
            last = rows[-1][0]
            _again(database, rows)
    return total


def _drop(database: Database) -> None:
    """Take the index away, also one so damaged that SQLite cannot open it to drop it."""
    database.execute("PRAGMA writable_schema = ON")
    database.execute("DELETE FROM sqlite_schema WHERE name = 'memory_index'")
    database.execute("PRAGMA writable_schema = RESET")
    for part in ("data", "idx", "content", "docsize", "config"):
        database.execute(f"DROP TABLE IF EXISTS memory_index_{part}")


def _again(database: Database, rows: "Sequence[tuple[int, str, str, str]]") -> None:
    from json import loads

    made = [(number, *terms_of(text, scope, loads(tags))) for number, text, scope, tags in rows]
    database.executemany(
        "UPDATE memory SET terms = ?, length = ? WHERE number = ?", [(t, n, number) for number, t, n in made]
    )
    add(database, made)


def sound(database: Database) -> bool:
    """Tell whether the index has the rows it should have: cheap, for use after an empty or failed search."""
    facts, terms, rows = database.rows(
        "SELECT (SELECT facts FROM corpus), EXISTS (SELECT 1 FROM term), EXISTS (SELECT 1 FROM memory)"
    )[0]
    if not rows:
        return True
    newest = database.row("SELECT number, terms FROM memory ORDER BY number DESC LIMIT 1")
    if not facts or not terms or newest is None:
        return False
    facet = next(term for term in newest[1].split(" ") if term.startswith("@"))
    indexed = "SELECT 1 FROM memory_index WHERE memory_index MATCH ? AND rowid = ?"
    return database.row(indexed, (f'"{facet}"', newest[0])) is not None


# As in sql/001_memory.sql; a rebuild makes the table anew because a damaged one cannot always be emptied.
CREATE = """CREATE VIRTUAL TABLE memory_index USING fts5(
    terms, content='memory', content_rowid='number', detail='none', columnsize=0,
    tokenize="ascii tokenchars '~@#./_-'"
)"""
