-- Typed objects: an original with where it came from and how far it can still be trusted.

CREATE TABLE object (
    id               INTEGER PRIMARY KEY,
    object_id        TEXT    NOT NULL UNIQUE CHECK (object_id GLOB 'ccr_obj_*' AND length(object_id) = 40),
    original         INTEGER NOT NULL REFERENCES original (id) ON DELETE CASCADE,
    type             TEXT    NOT NULL CHECK (type IN (
        'FileObservation', 'SearchResult', 'CommandResult', 'TestResult', 'BuildResult', 'DiffSnapshot',
        'TaskContract', 'TaskDecision', 'ExecutionState', 'DocumentationExcerpt', 'BrowserSnapshot',
        'RepositoryMap', 'EvidenceBundle')),
    session_id       TEXT    NOT NULL,
    source           TEXT    NOT NULL,                     -- the path, command, URL or query it came from
    repository_state TEXT    NOT NULL,                     -- the commit or tree it was true for, or ''
    currentness      TEXT    NOT NULL CHECK (currentness IN ('current', 'stale', 'archived')),
    lifecycle        TEXT    NOT NULL CHECK (lifecycle IN ('hot', 'warm', 'cold', 'archived')),
    dependencies     TEXT    NOT NULL CHECK (json_valid(dependencies)),  -- array of handles and object ids
    created_at       INTEGER NOT NULL,                     -- nanoseconds UTC
    data             TEXT    NOT NULL CHECK (data = '' OR json_valid(data)),       -- '' for none
    seal             BLOB    NOT NULL
) STRICT;

CREATE INDEX object_session ON object (session_id, type, created_at);
CREATE INDEX object_type ON object (type, created_at);
CREATE INDEX object_original ON object (original);
