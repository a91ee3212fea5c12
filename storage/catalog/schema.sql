-- The catalog: the only truth and the only commit point. Texts are in facts/ (LMDB); a column named *_id of a text is a
-- facts id. Every table is STRICT; foreign keys are on; all integers are bound as integers.
-- Fixed point: a column said to be "in units of 2^-32" holds round(x * 2^32) for x in [0,1] or [-1,1], so that sums are
-- exact and independent of order.

CREATE TABLE store_info (
  key   TEXT NOT NULL PRIMARY KEY,  -- 'uuid', 'created_at'
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Original data ---------------------------------------------------------------------------------------------------

CREATE TABLE dataset (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,     -- ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$
  created_at INTEGER NOT NULL,         -- unix milliseconds; never enters a result
  content    BLOB NOT NULL,            -- 16 bytes: order-free fingerprint of all (key, text, person) triples
  protocol_id INTEGER,                 -- the protocol evaluated last: what `report` shows by default
  judge_id    INTEGER,                 -- the judge evaluated last
  seeds       INTEGER NOT NULL DEFAULT 1, -- number of auxiliary seeds evaluated last, from the protocol's own upwards
  control_of  INTEGER REFERENCES dataset(id) ON DELETE SET NULL  -- its records were never in a release of that dataset
) STRICT;

CREATE TABLE record (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given again: links, indexes and scores name records that may be gone
  dataset_id INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
  key        TEXT NOT NULL,            -- the user's id
  text_id    INTEGER NOT NULL,         -- original text; the empty text is allowed ("not applicable" in metrics)
  person     TEXT,                     -- whose record it is; resampling unit of the bootstrap
  label      TEXT,                     -- category of the record
  task_id    INTEGER,                  -- JSON text {"question","options","answer"}
  meta_id    INTEGER,                  -- JSON text of the fields nobody asked for
  UNIQUE (dataset_id, key)
) STRICT;

CREATE TABLE claim_set (
  id         INTEGER PRIMARY KEY,
  dataset_id INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
  name       TEXT NOT NULL,            -- 'claims' for ingested ones, 'sentences' for the embedded atomizer's
  source     TEXT NOT NULL,            -- 'ingested', 'sentences/1', 'model NAME/SPEC.PARSER' (asked_with.digest)
  content    BLOB NOT NULL,            -- 16 bytes: order-free fingerprint of all (record key, n, text) triples
  made_from  BLOB,                     -- dataset.content when the atomizer made it; NULL: ingested
  words_of   TEXT,                     -- the set whose claims these are in other words, under the same n; made_from is
                                       -- then that set's content
  categorizer TEXT,                    -- who said claim.category: NULL files, or nobody; 'rules/1 general', 'model NAME/...'
  categories BLOB,                     -- another one whenever a claim's category is; NULL: none was ever said
  origin     TEXT NOT NULL DEFAULT 'texts' CHECK (origin IN ('texts','outside')),
                                       -- of what the claims are: the records' texts, or what attackers know from elsewhere
                                       -- (content says so, too)
  UNIQUE (dataset_id, name)
) STRICT;

CREATE TABLE claim (
  claim_set_id INTEGER NOT NULL REFERENCES claim_set(id) ON DELETE CASCADE,
  record_id    INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,
  n            INTEGER NOT NULL CHECK (n >= 1),  -- position in document order, 1-based; '#n' in references
  text_id      INTEGER NOT NULL,
  category     TEXT,                   -- JSON array of sensitive categories, empty: none; NULL when nobody said
  PRIMARY KEY (claim_set_id, record_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_by_record ON claim (record_id);
CREATE INDEX claim_without_category ON claim (claim_set_id) WHERE category IS NULL;

CREATE TABLE label (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given again: count and largest id tell any two states apart
  dataset_id INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('support','category','attribute','span','entity','response')),
  record_id  INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,
  run_id     INTEGER REFERENCES run(id) ON DELETE CASCADE,
  annotator  TEXT,
  subject_id INTEGER NOT NULL,         -- text: what of the record it is about, and who says so (ingest/label_subject.h)
  payload_id INTEGER NOT NULL,         -- the label's canonical JSON, as a text of facts/
  UNIQUE (dataset_id, kind, record_id, subject_id)
) STRICT;
CREATE INDEX label_by_record ON label (record_id);

-- How a label came about that a person was asked for here, pair by pair (verbs/people). Labels from files have no row: nobody
-- said.
CREATE TABLE label_asked (
  label_id INTEGER PRIMARY KEY REFERENCES label(id) ON DELETE CASCADE,
  blind    INTEGER NOT NULL CHECK (blind IN (0, 1)),  -- 1: before anybody showed what a judge or others say of the pair
  ms       INTEGER CHECK (ms >= 0),    -- how long it took; NULL: nobody measured
  chosen   TEXT NOT NULL CHECK (chosen IN ('sample','disagreements','unsure')),  -- why this pair was asked about: only the
                                       -- first is a sample of all
  asked_at INTEGER NOT NULL            -- unix milliseconds; enters no result
) STRICT;

-- Vectors of texts, by who made them. The values are in facts/, under ids of their own that are never given again: what is
-- stored there never changes, a text's next vector is another one, so a row never names more than was committed with it.
CREATE TABLE embedder (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,     -- --model, as the user calls it
  dimension  INTEGER NOT NULL CHECK (dimension BETWEEN 1 AND 65536),
  content    BLOB NOT NULL,            -- 16 bytes: order-free fingerprint of all (text, vector) pairs
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE vector (
  embedder_id INTEGER NOT NULL REFERENCES embedder(id) ON DELETE CASCADE,
  text_id     INTEGER NOT NULL,        -- whose vector it is; a vector does not keep its text
  vector_id   INTEGER NOT NULL,        -- in facts/
  digest      INTEGER NOT NULL,        -- 64-bit hash of text_id and the values, the checksum stored with them
  PRIMARY KEY (embedder_id, text_id)
) STRICT, WITHOUT ROWID;

-- Embedders that a server fills (residue embed). The others are filled from files.
CREATE TABLE embedder_origin (
  name    TEXT NOT NULL PRIMARY KEY,   -- embedder.name
  spec    TEXT NOT NULL,               -- JSON: what a vector depends on beside its text (model/endpoint.h)
  queries TEXT NOT NULL                -- embedder.name of the vectors of what attackers say: 'NAME', or 'NAME/query' where
                                       -- the model wants other words before what is looked for
) STRICT, WITHOUT ROWID;

-- Sanitizer output --------------------------------------------------------------------------------------------------

CREATE TABLE run (
  id         INTEGER PRIMARY KEY,
  dataset_id INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  -- 'none' and 'remove-all' are the automatic controls: one row each per dataset, no rows in `variant` (their variants
  -- are the originals, and empty texts).
  kind       TEXT NOT NULL CHECK (kind IN ('aligned','synthetic','none','remove-all')),
  removes_everything INTEGER NOT NULL DEFAULT 0,  -- 1: declared to remove everything, an empty text is a success
  texts_are_meant INTEGER NOT NULL DEFAULT 0,  -- 1: what looks like a failure is none (model/suspicion/suspected.h)
  sanitizer  TEXT,
  params     TEXT NOT NULL DEFAULT '{}',  -- JSON object, keys in order
  seed       INTEGER,
  grp        TEXT,                     -- --group
  content    BLOB NOT NULL,            -- 16 bytes: order-free fingerprint of all (key, text or failed) pairs
  substitutions BLOB,                  -- 16 bytes: order-free fingerprint of all (key, variant.substitutions_id); NULL: none
  made_from  BLOB,                     -- dataset.content when `sanitize` made it; NULL: ingested, or a control
  created_at INTEGER NOT NULL,
  UNIQUE (dataset_id, name)
) STRICT;

CREATE TABLE variant (
  id         INTEGER PRIMARY KEY,
  run_id     INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  record_id  INTEGER REFERENCES record(id) ON DELETE CASCADE,  -- aligned runs
  key        TEXT,                     -- synthetic runs: id, or the 1-based line
  text_id    INTEGER,                  -- NULL: failed (an error, or an empty text of a run that does not remove everything)
  error      TEXT,                     -- why it failed, as the sanitizer said ('empty' for empty texts); short
  substitutions_id INTEGER,            -- text: JSON [[original, replacement], ...], what stands for what; NULL: nobody said
  spans_id   INTEGER,                  -- text: JSON [[begin, end, type, replacement], ...], bytes of the record's text that
                                       -- were replaced, in order; NULL: nobody said
  CHECK ((record_id IS NULL) <> (key IS NULL)),
  UNIQUE (run_id, record_id),
  UNIQUE (run_id, key)
) STRICT;
CREATE INDEX variant_by_record ON variant (record_id) WHERE record_id IS NOT NULL;

-- What a variant was made of, by a program of the user's or a method of ours that asks nobody: it is made again where
-- either is another one, and where the variant was changed since, which removes the row.
CREATE TABLE program_answer (
  variant_id INTEGER PRIMARY KEY REFERENCES variant(id) ON DELETE CASCADE,
  given      INTEGER NOT NULL,         -- id of the record's text then; nothing keeps it, and no other text gets its id
  asked      BLOB NOT NULL             -- 32 bytes: digest of the program and its settings, or of the method's
) STRICT;

-- What models were asked when `sanitize` made the run, and so what it cost (attempt). Kept as long as the run: what was
-- asked for texts that have changed since was asked for it, too.
CREATE TABLE run_vote (
  run_id     INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  vote       BLOB NOT NULL,            -- vote key, 32 bytes: attempt.vote
  PRIMARY KEY (run_id, vote)
) STRICT, WITHOUT ROWID;

-- What the owner says of runs, and what is known of their making. All of it goes with the run. No result depends on it.

-- Names by which the owner finds runs again.
CREATE TABLE run_tag (
  run_id     INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  tag        TEXT NOT NULL,            -- ^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,63}$
  PRIMARY KEY (run_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_tag_by_tag ON run_tag (tag);

CREATE TABLE run_note (
  run_id     INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
  note       TEXT NOT NULL             -- the owner's own words, which may quote anything
) STRICT;

-- Who wrote the run's texts. Controls have none, nor have runs of before format 7.
CREATE TABLE run_made (
  run_id     INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,
  version    TEXT NOT NULL,            -- of the residue that changed its texts last
  changed_at INTEGER NOT NULL,         -- unix milliseconds, when that was
  ms         INTEGER                   -- how long `sanitize` took, of all commands that changed texts; NULL: from files
) STRICT;

-- Looking commands under a name of the owner's choice. Those that name a dataset or run stay when it is removed, and go
-- when it is purged.
CREATE TABLE saved_view (
  name       TEXT NOT NULL PRIMARY KEY,  -- as run_tag.tag
  words      TEXT NOT NULL,            -- JSON array: the command's name, then its arguments
  saved_at   INTEGER NOT NULL          -- unix milliseconds
) STRICT, WITHOUT ROWID;

-- What each person's data was spent on: every release that a method with differential privacy has made of a dataset. Kept
-- when the run goes, and when the dataset goes, by name: what was released is spent. Stores that were made before this
-- table have none until the first release (storage/catalog/privacy_ledger.h).
CREATE TABLE IF NOT EXISTS privacy_release (
  id        INTEGER PRIMARY KEY,
  dataset   TEXT NOT NULL,             -- dataset.name
  run       TEXT NOT NULL,             -- run.name
  release   BLOB NOT NULL,             -- 32 bytes: equal ones are the same noise on the same data, one release
  unit      TEXT NOT NULL CHECK (unit IN ('person','record')),  -- whose data is protected, all of it together
  units     INTEGER NOT NULL,          -- how many there were
  noise     TEXT NOT NULL,             -- where it is from: 'store key', 'seed', 'none'
  spending  TEXT NOT NULL,             -- JSON (numbers/stats/privacy_spending.h)
  made_at   INTEGER NOT NULL,          -- unix milliseconds; enters no result
  struck_at INTEGER,                   -- somebody said that it never left; NULL: it counts
  UNIQUE (dataset, run, release)
) STRICT;

-- What `atomize DATASET/RUN` made of a run's texts. The controls have none: the claims of 'none' are the dataset's.
CREATE TABLE run_claim_set (
  id         INTEGER PRIMARY KEY,
  run_id     INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  name       TEXT NOT NULL,            -- 'sentences' where nobody said
  source     TEXT NOT NULL,            -- 'sentences/1' ...
  content    BLOB NOT NULL,            -- 16 bytes: order-free fingerprint of all (variant's key, n, text) triples
  made_from  BLOB,                     -- run.content of the variants that these are the claims of; NULL: never finished
  UNIQUE (run_id, name)
) STRICT;

CREATE TABLE run_claim (
  id         INTEGER PRIMARY KEY,
  set_id     INTEGER NOT NULL REFERENCES run_claim_set(id) ON DELETE CASCADE,
  variant_id INTEGER NOT NULL REFERENCES variant(id) ON DELETE CASCADE,
  n          INTEGER NOT NULL CHECK (n >= 1),  -- position in document order, 1-based, without gaps
  text_id    INTEGER NOT NULL,
  UNIQUE (set_id, variant_id, n)
) STRICT;
CREATE INDEX run_claim_by_variant ON run_claim (variant_id);

-- Inputs that were not read to their end: what they fill is incomplete, and `eval` refuses it.
CREATE TABLE ingest_progress (
  target  TEXT NOT NULL,               -- 'dataset NAME', 'claims DATASET/SET', 'claims DATASET/RUN/SET', 'run DATASET/RUN',
                                       -- 'labels DATASET/KIND', 'vectors DATASET/MODEL', 'judgments', 'answers DATASET',
                                       -- 'attempts DATASET/RUN PROTOCOL'
  path    TEXT NOT NULL,               -- absolute path, or '-'
  size    INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  lines   INTEGER NOT NULL,            -- lines whose effects are committed
  counts  TEXT NOT NULL,               -- JSON {"new","same","changed","bad"} so far
  PRIMARY KEY (target, path)
) STRICT, WITHOUT ROWID;

-- The attack ----------------------------------------------------------------------------------------------------------

CREATE TABLE auxiliary (
  id           INTEGER PRIMARY KEY,
  claim_set_id INTEGER NOT NULL REFERENCES claim_set(id) ON DELETE CASCADE,
  policy       TEXT NOT NULL,          -- 'first:3', 'last:3', 'random:3@42', 'all', 'given:SET', 'first:3~SET'
  content      BLOB NOT NULL,          -- claim_set.content when these rows were made, and that of SET
  UNIQUE (claim_set_id, policy)
) STRICT;

CREATE TABLE auxiliary_query (
  auxiliary_id INTEGER NOT NULL REFERENCES auxiliary(id) ON DELETE CASCADE,
  record_id    INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,
  text_id      INTEGER NOT NULL,       -- the auxiliary claims joined by one space: query and auxiliary-only passage
  short        INTEGER NOT NULL,       -- 1: the record has fewer claims than the policy needs to leave one to judge
  claims       TEXT NOT NULL,          -- JSON array of the claims' n, ascending
  PRIMARY KEY (auxiliary_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX auxiliary_query_by_record ON auxiliary_query (record_id);

CREATE TABLE protocol (
  id           INTEGER PRIMARY KEY,
  dataset_id   INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
  name         TEXT NOT NULL,          -- canonical: 'bm25/random:3@42/claims'
  linker       TEXT NOT NULL,          -- canonical with options: 'bm25', 'bm25[analyzer=plain]'
  auxiliary_id INTEGER NOT NULL REFERENCES auxiliary(id) ON DELETE CASCADE,
  sample       INTEGER NOT NULL DEFAULT 0,  -- number of target records; 0: all
  UNIQUE (dataset_id, name, sample)
) STRICT;

-- What an attack depends on beside the run, the records and the judged claims, by name: a name may be gone, and come back.
CREATE TABLE protocol_input (
  protocol_id INTEGER NOT NULL REFERENCES protocol(id) ON DELETE CASCADE,
  kind        TEXT NOT NULL CHECK (kind IN ('claim_set','run','run_claims','embedder')),
                                       -- of the dataset; run_claims: of the run attacked; embedder: of the store
  name        TEXT NOT NULL,
  PRIMARY KEY (protocol_id, kind, name)
) STRICT, WITHOUT ROWID;

-- Whatever an attack may depend on beside the run, the records and the judged claims, and its content. dataset_id, run_id:
-- whose it is, NULL: of all.
CREATE VIEW input_content AS
SELECT kind, dataset_id, run_id, name, nullif(lower(hex(content)), '') AS content FROM (
  SELECT 'claim_set' AS kind, dataset_id, NULL AS run_id, name, content FROM claim_set
  UNION ALL SELECT 'run', dataset_id, NULL, name, content FROM run
  UNION ALL SELECT 'run_claims', NULL, run_id, name, hex(made_from) || hex(content) FROM run_claim_set
  UNION ALL SELECT 'embedder', NULL, NULL, v.name,
              CASE WHEN q.id IS NULL THEN v.content ELSE hex(v.content) || hex(q.content) END
            FROM embedder v LEFT JOIN embedder_origin o ON o.name = v.name AND o.queries <> o.name
            LEFT JOIN embedder q ON q.name = o.queries);

-- The contents of these inputs, in order; NULL: there are none.
CREATE VIEW attack_extra AS
SELECT r.id AS run_id, p.id AS protocol_id,
  (SELECT group_concat(content, '') FROM (
     SELECT coalesce((SELECT c.content FROM input_content c WHERE c.kind = i.kind AND c.name = i.name
                      AND coalesce(c.dataset_id, p.dataset_id) = p.dataset_id AND coalesce(c.run_id, r.id) = r.id),
                     '-') AS content
     FROM protocol_input i WHERE i.protocol_id = p.id ORDER BY i.kind, i.name)) AS extra
FROM protocol p JOIN run r ON r.dataset_id = p.dataset_id;

-- What evaluation.claims_content is when an attack's evaluation is up to date: the judged claims, and those contents; of
-- tier judge, `judged`: their categories too. The functions are those of storage/catalog/content.h.
CREATE VIEW attack_content AS
SELECT run_id, protocol_id, content, content_with_categories(content, categories) AS judged
FROM (
  SELECT x.run_id, x.protocol_id, s.categories, content_of_attack(s.content, x.extra) AS content
  FROM attack_extra x JOIN protocol p ON p.id = x.protocol_id JOIN auxiliary a ON a.id = p.auxiliary_id
  JOIN claim_set s ON s.id = a.claim_set_id);

-- The claims of a run that an attack's judged claims are compared with by their vectors: those called as these are, else
-- 'sentences', else the first by name.
CREATE VIEW compared_claims AS
SELECT r.id AS run_id, p.id AS protocol_id,
  coalesce((SELECT c.id FROM run_claim_set c WHERE c.run_id = r.id AND c.name = s.name),
           (SELECT c.id FROM run_claim_set c WHERE c.run_id = r.id AND c.name = 'sentences'),
           (SELECT c.id FROM run_claim_set c WHERE c.run_id = r.id ORDER BY c.name LIMIT 1)) AS set_id
FROM protocol p JOIN run r ON r.dataset_id = p.dataset_id JOIN auxiliary a ON a.id = p.auxiliary_id
JOIN claim_set s ON s.id = a.claim_set_id;

-- What evaluation.claims_content is when an evaluation by vectors is up to date: the attack, the claims of the run, and the
-- vectors.
CREATE VIEW vector_content AS
SELECT x.run_id, x.protocol_id, e.id AS embedder_id,
  CAST(lower(hex(x.content)) || '/' || coalesce((SELECT c.name || ':' || lower(hex(c.made_from)) || lower(hex(c.content))
     FROM compared_claims s JOIN run_claim_set c ON c.id = s.set_id
     WHERE s.run_id = x.run_id AND s.protocol_id = x.protocol_id), '-') || '/' || lower(hex(e.content)) AS BLOB) AS content
FROM attack_content x CROSS JOIN embedder e;

CREATE TABLE link (
  run_id      INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  protocol_id INTEGER NOT NULL REFERENCES protocol(id) ON DELETE CASCADE,
  record_id   INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,
  linked_id   INTEGER,                 -- record (aligned, controls) or variant (synthetic) found; NULL: not linked
  tied        INTEGER NOT NULL,        -- other candidates with exactly this score
  rank        INTEGER,                 -- rank of the record's own variant among the top 10; NULL: not among them
  PRIMARY KEY (run_id, protocol_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_record ON link (record_id);

-- Where an attacked record of an aligned run stands among all candidates, and how sure an attacker may be of the best
-- (query/place).
CREATE TABLE link_place (
  run_id      INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  protocol_id INTEGER NOT NULL REFERENCES protocol(id) ON DELETE CASCADE,
  record_id   INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,
  ahead       INTEGER,                 -- candidates that score more than the record's own; NULL: it has none
  level       INTEGER,                 -- others that score as much as it; those that are no hits stand level after all
  persons     INTEGER NOT NULL,        -- persons among the best, equal originals once; 0: nothing is linked
  own_person  INTEGER NOT NULL,        -- 1: the record's person, or an equal original, is among them
  sure        INTEGER,                 -- (best - best of another person) / best, in units of 2^-32; NULL: no claim
  alone       INTEGER NOT NULL,        -- 1: nobody else is a hit, and sure is 1
  rest_sure   INTEGER,                 -- the same of the absent attack; NULL also where it was not made
  rest_alone  INTEGER NOT NULL,
  PRIMARY KEY (run_id, protocol_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_place_by_record ON link_place (record_id);

-- The intruder test: a person was given what an attacker knows of a record, and looked for its text in the release
-- (query/people). A row is made when the record is drawn and filled in when the person answers. What was asked of people
-- outlives what is computed, so the protocol is here by name.
CREATE TABLE intruder_attempt (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  protocol    TEXT NOT NULL,           -- protocol.name
  sample      INTEGER NOT NULL,        -- protocol.sample
  record_id   INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,  -- the target
  annotator   TEXT NOT NULL CHECK (annotator <> ''),
  present     INTEGER NOT NULL CHECK (present IN (0, 1)),  -- 0: what the absent attack leaves out could not be found
  stratum     TEXT CHECK (stratum <> ''),  -- of which it was drawn: 'machine:found', 'label:...'; NULL: of all targets
                                       -- (query/people/intruder_strata.h)
  drawn_at    INTEGER NOT NULL,        -- unix milliseconds; enters no result
  drawn       INTEGER NOT NULL,        -- 64-bit hash of the run's content and of the facts that were shown
  answered_at INTEGER,                 -- unix milliseconds; NULL: no answer yet, and none below
  chosen_id   INTEGER REFERENCES record(id) ON DELETE SET NULL,  -- whose text the person named; NULL: none, or a record
                                       -- that is gone since, as `about` tells
  sure        INTEGER CHECK (sure BETWEEN 0 AND 100),  -- how sure, in per cent
  ms          INTEGER CHECK (ms >= 0), -- how long it took; NULL: nobody measured
  searches    INTEGER CHECK (searches >= 0),  -- how many it took; NULL: nobody counted
  about       INTEGER,                 -- of the ids of the facts, the target's text and the text that was named: where
                                       -- the first two are others by now, nobody has answered; the third can be read
                                       -- out of it (query/people/intruder_about.h)
  told        INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),  -- 1: the person was told whether it is right
  blind       INTEGER CHECK (blind IN (0, 1)),  -- 0: outcomes of this test had been shown before it was answered; NULL:
                                       -- nobody said, as of all answers of before format 8
  CHECK ((answered_at IS NULL) = (about IS NULL) AND (answered_at IS NULL) = (sure IS NULL)),
  CHECK (answered_at IS NOT NULL OR (chosen_id IS NULL AND told = 0 AND blind IS NULL)),
  UNIQUE (run_id, protocol, sample, annotator, record_id)
) STRICT;
CREATE INDEX intruder_attempt_by_record ON intruder_attempt (record_id);
CREATE INDEX intruder_attempt_by_choice ON intruder_attempt (chosen_id) WHERE chosen_id IS NOT NULL;

-- Who read outcomes of an intruder test that was not finished: what this annotator answers later is not blind.
CREATE TABLE intruder_look (
  run_id     INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  protocol   TEXT NOT NULL,            -- as intruder_attempt
  sample     INTEGER NOT NULL,
  reader     TEXT NOT NULL,            -- an annotator's name; '': nobody said who, so it may have been any of them
  looked_at  INTEGER NOT NULL,         -- unix milliseconds, the first time; enters no result
  PRIMARY KEY (run_id, protocol, sample, reader)
) STRICT, WITHOUT ROWID;

-- Immutable Xapian segments in index/; derived, can be deleted.
CREATE TABLE index_segment (
  id       INTEGER PRIMARY KEY,
  run_id   INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  analyzer TEXT NOT NULL,              -- 'fsp/N', 'plain/N': of the variants; 'fsp/N#SET': of their claims in SET
  file     TEXT NOT NULL UNIQUE,       -- name below index/
  sha256   BLOB NOT NULL,
  bytes    INTEGER NOT NULL,
  documents INTEGER NOT NULL
) STRICT;

CREATE TABLE indexed (
  run_id     INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  analyzer   TEXT NOT NULL,
  candidate_id INTEGER NOT NULL,       -- as link.linked_id; of a claim: query/run_claims.h
  segment_id INTEGER NOT NULL REFERENCES index_segment(id) ON DELETE CASCADE,
  text_id    INTEGER NOT NULL,         -- the text that was indexed
  PRIMARY KEY (run_id, analyzer, candidate_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX indexed_by_segment ON indexed (segment_id);

-- What a run's links under a protocol were computed from, so that later only those that may differ are searched again.
-- Derived, can be deleted.
CREATE TABLE link_basis (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  protocol_id INTEGER NOT NULL REFERENCES protocol(id) ON DELETE CASCADE,
  analyzer    TEXT NOT NULL,           -- of the index that was searched
  documents   BLOB NOT NULL,           -- 16 bytes: order-free fingerprint of the (candidate, text) pairs that were searched
  links       BLOB NOT NULL,           -- per attacked record: query, link, and a bound for all other candidates
  UNIQUE (run_id, protocol_id)         -- (query/link_basis.h)
) STRICT;
CREATE INDEX link_basis_by_protocol ON link_basis (protocol_id);

-- The texts that candidates had then, of those that have been indexed otherwise since.
CREATE TABLE link_basis_change (
  basis_id     INTEGER NOT NULL REFERENCES link_basis(id) ON DELETE CASCADE,
  candidate_id INTEGER NOT NULL,       -- as link.linked_id
  indexed_id   INTEGER,                -- text, which may be gone: nothing keeps it; NULL: the candidate was not indexed
  PRIMARY KEY (basis_id, candidate_id)
) STRICT, WITHOUT ROWID;

-- Judgments -------------------------------------------------------------------------------------------------------------

CREATE TABLE judge (
  id     INTEGER PRIMARY KEY,
  name   TEXT NOT NULL UNIQUE,         -- 'lexical', 'rouge', later model judges
  embedded INTEGER NOT NULL,           -- 1: computed here, can be computed again; 0: paid for, kept for ever
  claims_per_request INTEGER NOT NULL DEFAULT 1 CHECK (claims_per_request >= 1),  -- put to it together, at most
  spec   TEXT NOT NULL,                -- the preimage: canonical JSON of everything that a rating depends on
  digest BLOB NOT NULL UNIQUE,         -- SHA-256 of spec
  revision INTEGER NOT NULL DEFAULT 0  -- of judgments made elsewhere: a greater one whenever one is new, or another
) STRICT;

-- What evaluation.claims_content is when an evaluation of tier judge is up to date: the attack, the categories of the
-- judged claims, and the judgments that were made elsewhere.
CREATE VIEW judged_content AS
SELECT x.run_id, x.protocol_id, j.id AS judge_id, content_at_revision(x.judged, j.revision) AS content
FROM attack_content x CROSS JOIN judge j;

CREATE TABLE judgment (
  judge_id   INTEGER NOT NULL REFERENCES judge(id) ON DELETE CASCADE,
  passage_id INTEGER NOT NULL,         -- text
  claim_id   INTEGER NOT NULL,         -- text
  request_id INTEGER NOT NULL DEFAULT 0,  -- request.id: the claims that it was rated with; 0: it depends on no others
  rating     INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 3),  -- 1 same, 2 similar, 3 unsupported
  PRIMARY KEY (judge_id, passage_id, claim_id, request_id)
) STRICT, WITHOUT ROWID;

-- Claims that are put to a judge together: its ratings may depend on all of them. Only judges of several claims per
-- request have these.
CREATE TABLE request (
  id     INTEGER PRIMARY KEY,          -- hash of `claims` (query/requests.h)
  claims TEXT NOT NULL                 -- JSON array of texts, each once, in the order of the prompt
) STRICT;

-- Which request a claim is in where its record's claims are cut every `size`; kept by eval, derived from `claim`.
CREATE TABLE claim_request (
  claim_set_id INTEGER NOT NULL REFERENCES claim_set(id) ON DELETE CASCADE,
  size         INTEGER NOT NULL CHECK (size >= 2),  -- judge.claims_per_request
  record_id    INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE,
  n            INTEGER NOT NULL,       -- claim.n
  request_id   INTEGER NOT NULL REFERENCES request(id),
  PRIMARY KEY (claim_set_id, size, record_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_request_by_record ON claim_request (record_id);
CREATE INDEX claim_request_by_request ON claim_request (request_id);

-- Judgments made elsewhere, as they came: a judge that was asked again has a row for each sample. judgment.rating is their
-- mode, of a tie the lower.
CREATE TABLE judgment_sample (
  judge_id   INTEGER NOT NULL REFERENCES judge(id) ON DELETE CASCADE,
  passage_id INTEGER NOT NULL,         -- text
  claim_id   INTEGER NOT NULL,         -- text
  sample     INTEGER NOT NULL CHECK (sample >= 0),
  rating     INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 3),
  PRIMARY KEY (judge_id, passage_id, claim_id, sample)
) STRICT, WITHOUT ROWID;

-- What models answered to questions about a run's texts: asked here (residue ask) or elsewhere (residue ingest answers).
CREATE TABLE task_answer (
  run_id    INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL,          -- record.id; of a synthetic run minus variant.id: its texts belong to no record
  model     TEXT NOT NULL,             -- who answered: an endpoint, or a model and its prompt, as the user calls them
  task      TEXT NOT NULL CHECK (task IN ('choice','coherence','category','attributes','utility','qa','response')),
  answer_id INTEGER,                   -- text: in the form of model/task.h; of a choice from elsewhere its words; NULL: it was
                                       -- asked and gave none
  about     INTEGER NOT NULL,          -- hash of the ids of the texts that it is about (storage/task_about.h): where they
                                       -- are others by now nobody has answered
  PRIMARY KEY (run_id, model, task, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_answer_by_record ON task_answer (record_id);
CREATE TRIGGER task_answer_of_record AFTER DELETE ON record BEGIN
  DELETE FROM task_answer WHERE record_id = OLD.id;
END;
CREATE TRIGGER task_answer_of_text AFTER DELETE ON variant WHEN OLD.record_id IS NULL BEGIN
  DELETE FROM task_answer WHERE record_id = -OLD.id;
END;

-- The answers of one name to one task about one run. Those that were asked for here were all asked with one spec and read
-- by one parser.
CREATE TABLE answer_set (
  id      INTEGER PRIMARY KEY,
  run_id  INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  model   TEXT NOT NULL,
  task    TEXT NOT NULL,
  content BLOB NOT NULL,               -- 16 bytes: order-free fingerprint of the answers (storage/answer_sets.h)
  digest  BLOB,                        -- asked_with.digest; NULL: from files
  parser  INTEGER,                     -- version
  UNIQUE (run_id, model, task)
) STRICT;

-- What evaluation.claims_content is when the evaluation of a set of answers is up to date: its answers, and for categories,
-- responses and questions those to the originals, which they are compared with; for the last two also how was asked and
-- what the run's replacements stand for; for guesses of attributes how many labels they are compared with.
CREATE VIEW answer_content AS
SELECT s.id AS set_id,
  CASE WHEN s.task = 'category'
         THEN CAST(lower(hex(s.content)) || coalesce(lower(hex(o.content)), '-') AS BLOB)
       WHEN s.task IN ('qa', 'response') THEN
         CAST(lower(hex(s.content)) || coalesce(lower(hex(o.content)), '-') || (s.digest IS o.digest) ||
              coalesce(lower(hex(r.substitutions)), '-') AS BLOB)
       WHEN s.task = 'attributes' THEN
         (SELECT CAST(lower(hex(s.content)) || count(*) || ':' || coalesce(max(l.id), 0) AS BLOB) FROM label l
          WHERE l.dataset_id = r.dataset_id AND l.kind = 'attribute')
       ELSE s.content END AS content
FROM answer_set s JOIN run r ON r.id = s.run_id
LEFT JOIN run n ON n.dataset_id = r.dataset_id AND n.kind = 'none'
LEFT JOIN answer_set o ON o.run_id = n.id AND o.model = s.model AND o.task = s.task;

-- Servers that rate, by the names users gave them. No API key: where it is, at most.
CREATE TABLE model (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,      -- as judges are named
  asking    TEXT NOT NULL,             -- JSON: what an answer depends on (model/endpoint.h)
  transport TEXT NOT NULL,             -- JSON: how it is had; enters no identity
  votes     INTEGER NOT NULL,          -- answers per question
  template  TEXT,                      -- the user's instructions instead of ours; NULL: ours
  canaries  INTEGER NOT NULL,          -- 1: each passage is checked for telling its judge what to say (model/canary.h)
  claims_per_request INTEGER NOT NULL  -- that it rates together, at most
) STRICT;

-- What models were asked with, but for rating claims: the digest begins with what a claim set's source says.
CREATE TABLE asked_with (
  digest BLOB NOT NULL PRIMARY KEY,    -- 32 bytes
  spec   TEXT NOT NULL                 -- the preimage: canonical JSON of all that an answer depends on but the text
) STRICT, WITHOUT ROWID;

-- Where a dataset's texts may be sent beside this machine.
CREATE TABLE egress_rule (
  dataset_id INTEGER NOT NULL REFERENCES dataset(id) ON DELETE CASCADE,
  host       TEXT NOT NULL,            -- lower case, without port
  PRIMARY KEY (dataset_id, host)
) STRICT, WITHOUT ROWID;

-- Every request to a model, recorded before it is sent: the ledger of what left, and what became of it. Kept for ever.
CREATE TABLE attempt (
  id       INTEGER PRIMARY KEY,
  vote     BLOB NOT NULL,              -- vote key, 32 bytes: the answer's key in facts/
  n        INTEGER NOT NULL,           -- of this vote, from 1
  model    TEXT NOT NULL,              -- the endpoint's name then
  dataset  TEXT,                       -- whose texts; NULL: a probe, invented texts
  host     TEXT NOT NULL,
  loopback INTEGER NOT NULL,           -- 1: did not leave this machine
  sent_at  INTEGER NOT NULL,           -- unix milliseconds; enters no result
  bytes    INTEGER NOT NULL,           -- of the body; 0: refused before it was sent, no connection came about
  body     BLOB NOT NULL,              -- SHA-256 of the body
  state    TEXT NOT NULL CHECK (state IN ('sent','saved','invalid','refused','unknown')),
                                       -- saved: a usable answer; invalid: an unusable one; refused: the server did not
                                       -- work on it; unknown: nobody knows whether it did
  reason   TEXT,                       -- of the last three
  status   INTEGER,                    -- HTTP
  tokens_in INTEGER, tokens_out INTEGER,
  cost     INTEGER,                    -- in units of 1e-9 USD
  ms       INTEGER,
  claims   INTEGER,                    -- that it rates together; NULL: nobody said
  line     BLOB,                       -- SHA-256 of the line of a file that said 'refused': it says so of one request only
  UNIQUE (vote, n)
) STRICT;
CREATE INDEX attempt_in_flight ON attempt (model) WHERE state = 'sent';

-- Removing for good (storage/erase).

-- Which texts the question of a vote was about: its answers may quote them. A row keeps no text.
CREATE TABLE vote_text (
  vote     BLOB NOT NULL,              -- attempt.vote
  text     BLOB NOT NULL,              -- its address in facts/, 12 bytes: a text that went and came back has another id
  PRIMARY KEY (vote, text)
) STRICT, WITHOUT ROWID;

-- Votes whose answers are to be erased from facts/, which comes after the rows are gone.
CREATE TABLE erased_vote (
  vote     BLOB NOT NULL PRIMARY KEY   -- attempt.vote
) STRICT, WITHOUT ROWID;

-- Purges whose rows are gone, while something of their bytes may be left.
CREATE TABLE erasure (
  target   BLOB NOT NULL PRIMARY KEY,  -- keyed digest of what was named: by it the repeated command is known again
  begun_at INTEGER NOT NULL            -- unix milliseconds
) STRICT, WITHOUT ROWID;

-- Backups that were made. A text whose id is below next_text may be in them.
CREATE TABLE backup (
  id        INTEGER PRIMARY KEY,
  path      TEXT NOT NULL,             -- absolute
  begun_at  INTEGER NOT NULL,          -- unix milliseconds
  finished_at INTEGER,                 -- NULL: it was stopped, and may have left FILE.partial and FILE.parts
  next_text INTEGER NOT NULL           -- the id that the next new text would have got then (while it is made: any)
) STRICT;

-- Numbers ----------------------------------------------------------------------------------------------------------------

-- One evaluation: a run's snapshot, looked at in one of these ways.
--   tier 'text':  no protocol, no judge  (rouge1_f ...)
--   tier 'link':  a protocol             (linkage_rate ...)
--   tier 'judge': a protocol and a judge (semantic_distance ...)
--   tier 'task':  no protocol; a set of answers (coherence ...)
--   tier 'corpus': no protocol; an embedder, or none (mauve ...)
--   tier 'vector': a protocol and an embedder (embedding_distance)
--   tier 'outside': a dataset of people who were never released; a protocol and a judge (anonymeter_risk), or neither
--                   (membership_auc)
CREATE TABLE evaluation (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
  tier        TEXT NOT NULL CHECK (tier IN ('text','link','judge','task','label','corpus','vector','outside')),
  protocol_id INTEGER NOT NULL DEFAULT 0,  -- 0: none
  judge_id      INTEGER REFERENCES judge(id) ON DELETE CASCADE,
  answer_set_id INTEGER REFERENCES answer_set(id) ON DELETE CASCADE,
  embedder_id   INTEGER REFERENCES embedder(id) ON DELETE CASCADE,
  control_id    INTEGER REFERENCES dataset(id) ON DELETE CASCADE,
  definitions TEXT NOT NULL,           -- version of the metric definitions used; others are stale
  run_content     BLOB NOT NULL,       -- run.content, dataset.content, attack_content.content when this was computed;
  dataset_content BLOB NOT NULL,       -- the empty blob while it is being brought up to date
  claims_content  BLOB NOT NULL,
  CHECK ((tier = 'outside') = (control_id IS NOT NULL)),
  CHECK (iif(tier = 'judge', judge_id IS NOT NULL, tier = 'outside' OR judge_id IS NULL)),
  CHECK (tier <> 'outside' OR (judge_id IS NULL) = (protocol_id = 0)),
  CHECK ((tier = 'task') = (answer_set_id IS NOT NULL)),
  CHECK (iif(tier = 'vector', embedder_id IS NOT NULL, tier = 'corpus' OR embedder_id IS NULL))
) STRICT;
-- One for each run, tier, attacker, witness (whichever of the three there is, 0: none) and control. No generated column: SQLite 3.40
-- cannot copy (VACUUM INTO) a table with one from a connection that only reads.
CREATE UNIQUE INDEX evaluation_of ON evaluation (run_id, tier, protocol_id,
                                                 coalesce(judge_id, answer_set_id, embedder_id, 0), coalesce(control_id, 0));
CREATE INDEX evaluation_by_answers ON evaluation (answer_set_id) WHERE answer_set_id IS NOT NULL;

-- What evaluation.claims_content is when an evaluation of tier corpus is up to date: the vectors of its embedder; without
-- one, where there is a metric that would be of vectors (mauve, topic_distance, embedding_cosine), the names of those who
-- have vectors of the originals.
CREATE VIEW corpus_content AS
SELECT e.id AS evaluation_id, CASE
  WHEN e.embedder_id IS NOT NULL THEN (SELECT b.content FROM embedder b WHERE b.id = e.embedder_id)
  WHEN EXISTS (SELECT 1 FROM metric m WHERE m.evaluation_id = e.id AND m.metric IN (80, 81, 82))
    THEN coalesce((SELECT CAST(group_concat(name, ' ') AS BLOB) FROM (
      SELECT b.name FROM embedder b WHERE EXISTS (SELECT 1 FROM record o JOIN vector v ON v.text_id = o.text_id
        AND v.embedder_id = b.id WHERE o.dataset_id = r.dataset_id)
      AND NOT EXISTS (SELECT 1 FROM embedder_origin q WHERE q.queries = b.name AND q.name <> b.name)
      ORDER BY b.name)), x'')
  ELSE x'' END AS content
FROM evaluation e JOIN run r ON r.id = e.run_id WHERE e.tier = 'corpus';

-- What evaluation.claims_content is when an attack's evaluation of tier outside is up to date: the judged attack, the
-- control's records, and its claims. Without an attack it is the control's records alone.
CREATE VIEW outside_content AS
SELECT x.run_id, x.protocol_id, x.judge_id, c.id AS control_id,
  CAST(lower(hex(x.content)) || '/' || lower(hex(c.content)) || '/' || coalesce((SELECT group_concat(claims, ' ') FROM (
    SELECT s.name || ':' || lower(hex(s.content)) AS claims FROM claim_set s WHERE s.dataset_id = c.id ORDER BY s.name)), '-')
    AS BLOB) AS content
FROM judged_content x JOIN run r ON r.id = x.run_id JOIN dataset c ON c.control_of = r.dataset_id;

-- What evaluation.claims_content is when the evaluation is up to date, of whatever tier: the one place that says so.
CREATE VIEW evaluation_content AS
SELECT e.id AS evaluation_id, CASE e.tier
  WHEN 'link' THEN (SELECT x.content FROM attack_content x WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id)
  WHEN 'judge' THEN (SELECT x.content FROM judged_content x
                     WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id AND x.judge_id = e.judge_id)
  WHEN 'vector' THEN (SELECT x.content FROM vector_content x
                      WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id AND x.embedder_id = e.embedder_id)
  WHEN 'task' THEN (SELECT x.content FROM answer_content x WHERE x.set_id = e.answer_set_id)
  WHEN 'corpus' THEN (SELECT x.content FROM corpus_content x WHERE x.evaluation_id = e.id)
  WHEN 'outside' THEN iif(e.judge_id IS NULL, (SELECT c.content FROM dataset c WHERE c.id = e.control_id),
    (SELECT x.content FROM outside_content x WHERE x.run_id = e.run_id AND x.protocol_id = e.protocol_id
                                               AND x.judge_id = e.judge_id AND x.control_id = e.control_id))
  ELSE e.claims_content END AS content  -- text and label depend on no claims
FROM evaluation e;

-- A record's scores, and what they were computed from; equal: nothing to do.
CREATE TABLE scored (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation(id) ON DELETE CASCADE,
  record_id     INTEGER NOT NULL,      -- record.id, or as task_answer.record_id; goes with its evaluation, or, of a
                                       -- record that is gone, when that is brought up to date: a reference of its own
                                       -- would double what a row costs
  input         INTEGER NOT NULL,      -- 64-bit hash of all ids and states that the scores depend on
  unit          INTEGER NOT NULL,      -- hash of the resampling unit (person, else record key) that the sums were weighted with
  scores        BLOB NOT NULL,         -- rows of the view `score`, packed (storage/packed_scores.h)
  PRIMARY KEY (evaluation_id, record_id)
) STRICT, WITHOUT ROWID;

-- Named parts of metrics: a category of claims, an attribute, a type of entity. They may overlap. 0: the whole.
CREATE TABLE cut (
  id   INTEGER PRIMARY KEY CHECK (id > 0),
  name TEXT NOT NULL UNIQUE
) STRICT;

-- One row for each metric, cut and record of an evaluation. packed_scores() is ours: connections of residue have it.
CREATE VIEW score AS
SELECT s.evaluation_id, s.record_id, s.unit,
  p.metric,                            -- metric_definition.id
  p.cut,                               -- cut.id, or 0
  p.slice,                             -- 0 no split, 1 linked right, 2 linked wrong, 3 not linked
  p.state,                             -- 0 value, 1 failed, 2 missing, 3 not applicable
  p.num,                               -- contribution to the numerator; failed and missing: if everything missing leaked
  p.den,                               -- contribution to the denominator (1 for means, units for pooled rates)
  p.best                               -- failed and missing: numerator if nothing missing leaked; else = num
FROM scored s JOIN packed_scores(s.scores) p;

-- Sums over `score`, maintained by subtracting old and adding new contributions.
CREATE TABLE aggregate (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation(id) ON DELETE CASCADE,
  metric        INTEGER NOT NULL,
  cut           INTEGER NOT NULL,      -- as in score
  slice         INTEGER NOT NULL,      -- as in score: a partition, so that the sums over all records are those of all slices
  n             INTEGER NOT NULL,      -- records with a value
  failed        INTEGER NOT NULL,
  missing       INTEGER NOT NULL,
  not_applicable INTEGER NOT NULL,
  num           INTEGER NOT NULL,      -- sums over records with a value
  den           INTEGER NOT NULL,
  lost_num      INTEGER NOT NULL,      -- sums over failed and missing records
  lost_best     INTEGER NOT NULL,
  lost_den      INTEGER NOT NULL,
  unknown       INTEGER NOT NULL,      -- failed and missing records of a pooled rate whose units nobody knows
  replicates    BLOB,                  -- the same sums in each bootstrap replicate (query/bootstrap.h); NULL: few records,
                                       -- recomputed from `score`
  PRIMARY KEY (evaluation_id, metric, cut, slice)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_definition (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL,             -- 'higher = more private' ...
  low       REAL, high REAL,           -- range; NULL: it has no bound
  source    TEXT NOT NULL,             -- paper section
  unit      REAL NOT NULL,             -- of score.num: 2^-32 where it is fixed point, else 1
  optional  INTEGER NOT NULL           -- 1: records to which it does not apply leave the denominator of its coverage
) STRICT;

CREATE TABLE metric (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation(id) ON DELETE CASCADE,
  metric        INTEGER NOT NULL,
  slice         TEXT NOT NULL,         -- '' all; 'right','wrong','not_linked'; 'bin:0'...'bin:9'; a cut's name
  value         REAL,                  -- NULL: not applicable. Failed and missing count as leaked (worst for utility)
  low           REAL, high REAL,       -- 95 % interval of value
  n             INTEGER NOT NULL,
  failed        INTEGER NOT NULL,
  missing       INTEGER NOT NULL,
  not_applicable INTEGER NOT NULL,
  if_leaked     REAL, if_private REAL, -- bounds: everything / nothing missing leaked
  drop_value    REAL, drop_low REAL, drop_high REAL,  -- `--missing drop`
  units INTEGER, drop_units INTEGER,   -- pooled rates: the claims, entities ... that value and drop_value are shares of
  PRIMARY KEY (evaluation_id, metric, slice)
) STRICT, WITHOUT ROWID;

-- Why a metric of a whole run is not applicable.
CREATE TABLE metric_reason (
  evaluation_id INTEGER NOT NULL REFERENCES evaluation(id) ON DELETE CASCADE,
  metric        INTEGER NOT NULL,
  reason        TEXT NOT NULL,         -- for people; no text or key of theirs
  PRIMARY KEY (evaluation_id, metric)
) STRICT, WITHOUT ROWID;

-- When which number was computed; only `history` reads it, no result depends on it.
CREATE TABLE metric_history (
  id            INTEGER PRIMARY KEY,
  evaluation_id INTEGER NOT NULL REFERENCES evaluation(id) ON DELETE CASCADE,
  at            INTEGER NOT NULL,      -- unix milliseconds
  metric        INTEGER NOT NULL,
  value REAL, low REAL, high REAL, n INTEGER NOT NULL, failed INTEGER NOT NULL, missing INTEGER NOT NULL
) STRICT;
CREATE INDEX metric_history_by_evaluation ON metric_history (evaluation_id);
