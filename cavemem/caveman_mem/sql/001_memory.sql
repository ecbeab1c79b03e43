-- Facts, the search index over their terms, and the counts that scoring needs.

CREATE TABLE memory (
    number        INTEGER PRIMARY KEY,              -- order of arrival; neighbours of a session have adjacent ones
    id            TEXT    NOT NULL UNIQUE CHECK (id GLOB 'mem_*' AND length(id) = 20),
    identity      TEXT,                             -- the id of occurrence 0 of this text, NULL in that row itself
    occurrence    INTEGER NOT NULL DEFAULT 0,       -- how many rows this text had in its scope before this one
    scope         TEXT    NOT NULL,
    kind          TEXT,
    source        TEXT    NOT NULL,                 -- user, agent:NAME, import:FILE
    session       TEXT,
    created_at    INTEGER NOT NULL,                 -- this and all times: nanoseconds UTC
    valid_from    INTEGER NOT NULL,
    valid_until   INTEGER,                          -- NULL while it is believed
    expires_at    INTEGER,                          -- NULL: never
    pinned        INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    supersedes    TEXT,                             -- ids of the neighbours in the history
    superseded_by TEXT,
    tokens        INTEGER,                          -- o200k_base; NULL: not counted yet
    length        INTEGER NOT NULL,                 -- exact terms of the text
    tags          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    text          TEXT    NOT NULL,                 -- exactly as given
    terms         TEXT    NOT NULL                  -- what the index holds of it; see index.py
) STRICT;

CREATE INDEX memory_again ON memory (identity) WHERE identity IS NOT NULL;
CREATE INDEX memory_older ON memory (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memory_newer ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_scope ON memory (scope, number);

-- Finds candidates; scoring is done on memory.terms. The terms are cut by the engine's tokeniser and joined by
-- spaces, so the index must not cut again: every sign that a term can hold is a token character.
CREATE VIRTUAL TABLE memory_index USING fts5(
    terms, content='memory', content_rowid='number', detail='none', columnsize=0,
    tokenize="ascii tokenchars '~@#./_-'"
);

CREATE TABLE term (
    term  TEXT    PRIMARY KEY,
    facts INTEGER NOT NULL                          -- rows of memory that hold it
) STRICT, WITHOUT ROWID;

CREATE TABLE corpus (
    facts   INTEGER NOT NULL,                       -- rows of memory
    length  INTEGER NOT NULL,                       -- sum of their lengths
    erasing INTEGER NOT NULL DEFAULT 0              -- 1: forgotten text may still stand in the write-ahead log
) STRICT;

INSERT INTO corpus (facts, length) VALUES (0, 0);
