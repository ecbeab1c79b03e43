-- Originals, the chunks they lie in, the views that were made of them, and the running counter of the budget.
-- A `seal` is the first 16 bytes of a SHA-256 over the other columns of its row: `verify` finds a changed byte.

CREATE TABLE original (
    id             INTEGER PRIMARY KEY,                    -- joins only
    handle         TEXT    NOT NULL UNIQUE CHECK (handle GLOB 'ccr_*' AND length(handle) = 36),
    sha256         BLOB    NOT NULL CHECK (length(sha256) = 32),         -- of the whole original
    codec          TEXT    NOT NULL CHECK (codec IN ('raw', 'zstd')),    -- of the chunks' bodies
    original_bytes INTEGER NOT NULL CHECK (original_bytes >= 0),
    stored_bytes   INTEGER NOT NULL CHECK (stored_bytes >= 0),           -- sum of the chunks' bodies
    created_at     INTEGER NOT NULL,                                     -- nanoseconds UTC, first put
    seen_at        INTEGER NOT NULL,                                     -- nanoseconds UTC, latest put: gc's age
    pinned         INTEGER NOT NULL CHECK (pinned IN (0, 1)),            -- gc leaves it alone
    seal           BLOB    NOT NULL
) STRICT;

CREATE INDEX original_seen ON original (seen_at);

CREATE TABLE chunk (
    original INTEGER NOT NULL REFERENCES original (id) ON DELETE CASCADE,
    number   INTEGER NOT NULL CHECK (number >= 0),         -- piece of 1 MiB, counted from 0
    sha256   BLOB    NOT NULL CHECK (length(sha256) = 32), -- of the piece before compression
    body     BLOB    NOT NULL,
    PRIMARY KEY (original, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE view (
    id            INTEGER PRIMARY KEY,
    original      INTEGER NOT NULL REFERENCES original (id) ON DELETE CASCADE,
    view_id       TEXT    NOT NULL,                        -- names the view under its handle
    content_type  TEXT    NOT NULL,
    compressor    TEXT    NOT NULL,
    tokens_before INTEGER NOT NULL CHECK (tokens_before >= 0),
    tokens_after  INTEGER NOT NULL CHECK (tokens_after >= 0),
    view_bytes    INTEGER NOT NULL CHECK (view_bytes >= 0),
    metadata      TEXT    NOT NULL CHECK (metadata = '' OR json_valid(metadata)),  -- '' for none
    created_at    INTEGER NOT NULL,                        -- nanoseconds UTC
    seal          BLOB    NOT NULL,
    UNIQUE (original, view_id)
) STRICT;

CREATE TABLE budget (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    used INTEGER NOT NULL CHECK (used >= 0),               -- bytes: chunk bodies, metadata, objects' data
    erasing INTEGER NOT NULL CHECK (erasing IN (0, 1))     -- removed bytes may still stand in the journal
) STRICT;

INSERT INTO budget VALUES (1, 0, 0);
