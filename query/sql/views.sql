-- The store as `residue sql` shows it: the public contract, names instead of ids. Made as temporary views of the shell's
-- own connection; the tables below them may change between versions, these do not.
--
-- Everywhere: dataset, run, record, claim_set, protocol, judge, metric are names as on the command line; n is a claim's
-- 1-based position ('#n'); a column *_text is the number of a text: text(claim_text) reads it. Times are unix
-- milliseconds. protocol is canonical ('bm25/random:3@42/claims'), sample the number of its target records (0: all).

-- Many joins have a fixed order (CROSS JOIN): each then finds its rows by an index whatever the filter is. Left to itself,
-- SQLite reads a large table through. Where each record has many rows, tables of ours read them (rows/view_rows.h).

-- Texts that failed as one text for many records. The shell puts a table in its place that finds them when asked
-- (sql_shell_one_for_many.h). The extension fills it.
CREATE TEMP TABLE one_for_many (run_id INTEGER NOT NULL, record_id INTEGER NOT NULL, PRIMARY KEY (run_id, record_id))
  WITHOUT ROWID;

CREATE TEMP VIEW datasets AS
SELECT d.name     AS dataset,
       (SELECT o.name FROM main.dataset o WHERE o.id = d.control_of)
                  AS control_of,     -- the dataset in whose releases its people never were, or NULL
       (SELECT count(*) FROM main.record r WHERE r.dataset_id = d.id)
                  AS records,
       d.created_at AS created_at
FROM main.dataset d;

CREATE TEMP VIEW records AS
SELECT d.name     AS dataset,
       r.key      AS record,         -- the user's id
       r.person   AS person,         -- whose record it is, or NULL
       r.label    AS label,          -- category of the record, or NULL
       r.text_id  AS record_text,    -- the original
       r.task_id  AS task_text,      -- JSON {"question","options","answer"}, or NULL
       r.meta_id  AS meta_text       -- JSON of the input's other fields, or NULL
FROM main.dataset d CROSS JOIN main.record r ON r.dataset_id = d.id;

CREATE TEMP VIEW claims AS
SELECT d.name     AS dataset,
       s.name     AS claim_set,      -- 'claims' for ingested ones, 'sentences' for the embedded atomizer's
       r.key      AS record,
       c.n        AS n,
       c.category AS category,       -- JSON array of names, or NULL
       c.text_id  AS claim_text
FROM main.dataset d CROSS JOIN main.claim_set s ON s.dataset_id = d.id CROSS JOIN main.record r ON r.dataset_id = d.id
     CROSS JOIN main.claim c ON c.claim_set_id = s.id AND c.record_id = r.id;

CREATE TEMP VIEW runs AS
SELECT d.name     AS dataset,
       u.name     AS run,
       u.kind     AS kind,           -- 'aligned', 'synthetic'; the automatic controls 'none', 'remove-all'
       u.sanitizer AS sanitizer,
       u.params   AS params,         -- JSON object
       u.seed     AS seed,
       u.grp      AS "group",
       u.removes_everything AS removes_everything,  -- 1: an empty text is a success
       (SELECT count(*) FROM main.variant v WHERE v.run_id = u.id) AS variants,  -- 0 for controls
       (SELECT count(*) FROM main.variant v WHERE v.run_id = u.id AND v.text_id IS NULL) +
         (SELECT count(*) FROM temp.one_for_many o WHERE o.run_id = u.id) AS failed,
       u.created_at AS created_at,
       (SELECT json_group_array(own.tag) FROM (SELECT tag FROM main.run_tag WHERE run_id = u.id ORDER BY tag) own)
                  AS tags,           -- JSON array of the names that its owner gave it
       (SELECT n.note FROM main.run_note n WHERE n.run_id = u.id)
                  AS note,           -- the owner's own words with --originals, else NULL
       (SELECT m.version FROM main.run_made m WHERE m.run_id = u.id)
                  AS version,        -- of the residue that changed its texts last; NULL: nobody noted it
       (SELECT m.changed_at FROM main.run_made m WHERE m.run_id = u.id)
                  AS changed_at,     -- when that was
       (SELECT m.ms FROM main.run_made m WHERE m.run_id = u.id)
                  AS making_ms,      -- how long `sanitize` took; NULL: it is from files, or nobody noted it
       -- What making it asked of models. Without --originals NULL where anything was asked: votes cannot be read then.
       (SELECT CASE WHEN count(*) = count(v.vote) THEN
          (SELECT count(*) FROM main.run_vote w JOIN main.attempt a ON a.vote = w.vote WHERE w.run_id = u.id) END
        FROM main.run_vote v WHERE v.run_id = u.id)
                  AS requests,
       (SELECT CASE WHEN count(*) = count(v.vote) THEN
          (SELECT coalesce(sum(a.tokens_in), 0) + coalesce(sum(a.tokens_out), 0) FROM main.run_vote w JOIN main.attempt a ON a.vote = w.vote
           WHERE w.run_id = u.id) END
        FROM main.run_vote v WHERE v.run_id = u.id)
                  AS tokens,
       (SELECT CASE WHEN count(*) = count(v.vote) THEN
          (SELECT total(a.cost) / 1e9 FROM main.run_vote w JOIN main.attempt a ON a.vote = w.vote
           WHERE w.run_id = u.id) END
        FROM main.run_vote v WHERE v.run_id = u.id)
                  AS cost_usd        -- what no server counted is in it with the most that it may have been
FROM main.run u JOIN main.dataset d ON d.id = u.dataset_id;

CREATE TEMP VIEW variants AS         -- what each run made of each record; controls without rows of their own included
SELECT d.name     AS dataset,
       u.name     AS run,
       r.key      AS record,         -- NULL in synthetic runs
       v.key      AS key,            -- synthetic runs: id or line; else NULL
       CASE WHEN EXISTS (SELECT 1 FROM temp.one_for_many o WHERE o.run_id = v.run_id AND o.record_id = v.record_id)
            THEN 'suspected: one text for many records'
            ELSE coalesce(v.error, iif(v.text_id IS NULL, 'failed', NULL)) END
                  AS error,          -- why it failed, or NULL; the sanitizer's own words with --originals, else 'failed'
       v.text_id  AS variant_text,   -- NULL where there is none; one for many records stays, to be looked at
       r.text_id  AS record_text     -- the original, or NULL
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.record r ON r.dataset_id = d.id
     CROSS JOIN main.variant v ON v.run_id = u.id AND v.record_id = r.id
UNION ALL
SELECT d.name, u.name, NULL, v.key, coalesce(v.error, iif(v.text_id IS NULL, 'failed', NULL)), v.text_id, NULL
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id AND u.kind = 'synthetic'
     CROSS JOIN main.variant v ON v.run_id = u.id AND v.record_id IS NULL
UNION ALL
SELECT d.name, u.name, r.key, NULL, NULL, CASE u.kind WHEN 'none' THEN r.text_id ELSE 0 END, r.text_id
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.record r ON r.dataset_id = d.id
WHERE u.kind IN ('none', 'remove-all');

CREATE TEMP VIEW run_claims AS       -- what `residue atomize DATASET/RUN` made of a run's texts
SELECT d.name     AS dataset,
       u.name     AS run,
       s.name     AS claim_set,
       r.key      AS record,         -- NULL in synthetic runs
       v.key      AS key,            -- synthetic runs: id or line; else NULL
       c.n        AS n,
       s.made_from = u.content AS current,  -- 0: the run changed since
       c.text_id  AS claim_text
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.run_claim_set s ON s.run_id = u.id
     CROSS JOIN main.record r ON r.dataset_id = d.id CROSS JOIN main.variant v ON v.run_id = u.id AND v.record_id = r.id
     CROSS JOIN main.run_claim c ON c.set_id = s.id AND c.variant_id = v.id
UNION ALL
SELECT d.name, u.name, s.name, NULL, v.key, c.n, s.made_from = u.content, c.text_id
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id AND u.kind = 'synthetic'
     CROSS JOIN main.run_claim_set s ON s.run_id = u.id CROSS JOIN main.variant v ON v.run_id = u.id AND v.record_id IS NULL
     CROSS JOIN main.run_claim c ON c.set_id = s.id AND c.variant_id = v.id;

CREATE TEMP VIEW vectors AS          -- which texts have a vector
SELECT e.name     AS model,
       v.text_id  AS vector_text
FROM main.vector v JOIN main.embedder e ON e.id = v.embedder_id;

CREATE TEMP VIEW links AS            -- which variant the attacker picked for each record
SELECT d.name     AS dataset,
       u.name     AS run,
       p.name     AS protocol,
       p.sample   AS sample,
       r.key      AS record,         -- whose auxiliary claims were the query
       CASE u.kind WHEN 'synthetic' THEN (SELECT v.key FROM main.variant v WHERE v.id = l.linked_id)
                   ELSE (SELECT o.key FROM main.record o WHERE o.id = l.linked_id) END
                  AS linked,         -- record (or key of a synthetic run) that was found; NULL: nothing
       CASE WHEN l.linked_id IS NULL THEN 'not_linked' WHEN u.kind = 'synthetic' THEN NULL
            WHEN l.linked_id = l.record_id THEN 'right' ELSE 'wrong' END
                  AS outcome,        -- 'right', 'wrong', 'not_linked'; NULL in synthetic runs
       l.tied     AS tied,           -- other candidates of exactly this score
       l.rank     AS rank,           -- of the record's own variant among the first ten, or NULL
       q.text_id  AS query_text,     -- the auxiliary claims
       CASE u.kind WHEN 'aligned' THEN (SELECT v.text_id FROM main.variant v
                                        WHERE v.run_id = l.run_id AND v.record_id = l.linked_id)
                   WHEN 'synthetic' THEN (SELECT v.text_id FROM main.variant v WHERE v.id = l.linked_id)
                   WHEN 'none' THEN (SELECT o.text_id FROM main.record o WHERE o.id = l.linked_id)
                   ELSE iif(l.linked_id IS NULL, NULL, 0) END
                  AS linked_text
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.protocol p ON p.dataset_id = d.id
     CROSS JOIN main.record r ON r.dataset_id = d.id
     CROSS JOIN main.link l ON l.run_id = u.id AND l.protocol_id = p.id AND l.record_id = r.id
     LEFT JOIN main.auxiliary_query q ON q.auxiliary_id = p.auxiliary_id AND q.record_id = l.record_id
WHERE p.linker NOT LIKE '%[absent=%';

-- Attackers with several releases (runs=A+B) are left out: they learn from more than one text. So is the absent attack,
-- as among links: what it finds is the control of another one.
CREATE TEMP VIEW judgments AS        -- every claim against the text that its record was linked to
SELECT d.name     AS dataset,
       u.name     AS run,
       p.name     AS protocol,
       p.sample   AS sample,
       j.name     AS judge,
       c.record   AS record,
       c.n        AS n,
       c.rating   AS rating,         -- 1 same, 2 similar, 3 unsupported
       c.known    AS known,          -- 1: the attacker had this claim; it does not count
       c.outcome  AS outcome,        -- 'right', 'wrong'; NULL in synthetic runs
       c.counts   AS counts,         -- 0: the record's own variant failed, so its metrics are 'failed' whatever it links
                                     -- to; or they are not applicable: its original is empty
       c.category AS category,       -- JSON array, or NULL
       c.claim_text AS claim_text,
       c.linked_text AS linked_text
FROM main.dataset d
     CROSS JOIN main.run u ON u.dataset_id = d.id
     CROSS JOIN main.protocol p ON p.dataset_id = d.id
     CROSS JOIN main.judge j
     CROSS JOIN judged_claims(u.id, p.id, j.id) c
WHERE NOT EXISTS (SELECT 1 FROM main.protocol_input i WHERE i.protocol_id = p.id AND i.kind = 'run')
      AND p.linker NOT LIKE '%[absent=%';

CREATE TEMP VIEW answers AS          -- what models answered to tasks about texts (residue ask, residue ingest answers)
SELECT d.name     AS dataset,
       u.name     AS run,
       a.model    AS model,
       a.task     AS task,
       r.key      AS record,         -- of a synthetic run the text's key
       a.answer_id AS answer_text    -- NULL: it was asked and gave none; docs/models.md has the forms
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.record r ON r.dataset_id = d.id
     CROSS JOIN main.task_answer a ON a.record_id = r.id AND a.run_id = u.id
UNION ALL
SELECT d.name, u.name, a.model, a.task, v.key, a.answer_id
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id AND u.kind = 'synthetic'
     CROSS JOIN main.variant v ON v.run_id = u.id CROSS JOIN main.task_answer a ON a.record_id = -v.id AND a.run_id = u.id;

CREATE TEMP VIEW labels AS           -- what people or ground truth said (residue ingest labels)
SELECT d.name     AS dataset,
       l.kind     AS kind,           -- 'support', 'category', 'attribute', 'span', 'entity', 'response'
       r.key      AS record,
       u.name     AS run,            -- NULL: it is about the original
       l.annotator AS annotator,
       l.payload_id AS label_text,   -- JSON; of a span {"start","end",...}, in bytes of the record's text
       r.text_id  AS record_text     -- the original
FROM main.dataset d CROSS JOIN main.record r ON r.dataset_id = d.id CROSS JOIN main.label l ON l.record_id = r.id
     LEFT JOIN main.run u ON u.id = l.run_id;

CREATE TEMP VIEW intruder AS         -- what people found who looked for a record in a release (residue intruder)
SELECT d.name     AS dataset,
       u.name     AS run,
       a.protocol AS protocol,       -- whose auxiliary claims they were given
       a.sample   AS sample,
       a.annotator AS annotator,
       r.key      AS record,         -- the target
       a.present  AS present,        -- 0: it was absent, nobody could find it
       (SELECT o.key FROM main.record o WHERE o.id = a.chosen_id)
                  AS chosen,         -- whose text was named, or NULL: nobody's, or a record's that is gone since
       CASE WHEN a.present IS NULL THEN NULL  -- at a level that does not read what people said
            WHEN a.answered_at IS NULL THEN 'open'
            WHEN a.present = 0 THEN iif(a.chosen_id IS NULL, 'rightly none', 'wrong')
            WHEN u.kind = 'aligned' AND NOT EXISTS (SELECT 1 FROM main.variant v WHERE v.run_id = a.run_id
                 AND v.record_id = a.record_id AND v.text_id IS NOT NULL) THEN 'failed'
            WHEN a.chosen_id IS NULL THEN 'none'
            WHEN a.chosen_id = a.record_id THEN 'right'
            WHEN EXISTS (SELECT 1 FROM main.record o WHERE o.id = a.chosen_id
                         AND (o.person = r.person OR o.text_id = r.text_id)) THEN 'person'
            ELSE 'wrong' END
                  AS outcome,        -- 'open', 'right', 'person' (another record of the same), 'wrong', 'none',
                                     -- 'rightly none', 'failed'; of a record that is gone as where nobody was named
       a.sure     AS sure,           -- 0 to 100, or NULL
       a.ms / 1000.0 AS seconds,     -- or NULL
       a.searches AS searches,       -- or NULL
       a.told     AS told,           -- 1: the outcome was told
       a.blind    AS blind,          -- 0: outcomes had been shown before, NULL: nobody said, or no answer
       a.stratum  AS stratum,        -- of which the target was drawn, or NULL: of all
       a.drawn_at AS drawn_at,
       a.answered_at AS answered_at  -- or NULL
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.record r ON r.dataset_id = d.id
     CROSS JOIN main.intruder_attempt a ON a.record_id = r.id AND a.run_id = u.id;

CREATE TEMP VIEW spans AS            -- what each run replaced, of texts whose sanitizer says so
SELECT d.name     AS dataset,
       u.name     AS run,
       r.key      AS record,
       v.spans_id AS spans_text,     -- JSON [[begin, end, type, replacement], ...], in bytes of the record's text
       v.substitutions_id AS substitutions_text,  -- JSON [[original, replacement], ...], or NULL
       v.text_id  AS variant_text,
       r.text_id  AS record_text     -- the original
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.record r ON r.dataset_id = d.id
     CROSS JOIN main.variant v ON v.run_id = u.id AND v.record_id = r.id
WHERE v.spans_id IS NOT NULL OR v.substitutions_id IS NOT NULL;

CREATE TEMP VIEW persons AS          -- whose records they are
SELECT d.name     AS dataset,
       r.person   AS person,
       count(*)   AS records
FROM main.dataset d JOIN main.record r ON r.dataset_id = d.id
WHERE r.person IS NOT NULL
GROUP BY d.name, r.person;

CREATE TEMP VIEW leaks AS            -- what the attacker learned: unknown claims with rating 1 or 2 in the linked text
SELECT d.name     AS dataset,
       u.name     AS run,
       p.name     AS protocol,
       p.sample   AS sample,
       j.name     AS judge,
       c.record   AS record,
       c.n        AS n,
       c.rating   AS rating,
       c.outcome  AS outcome,
       c.category AS category,
       c.claim_text AS claim_text,
       c.linked_text AS linked_text
FROM main.dataset d
     CROSS JOIN main.run u ON u.dataset_id = d.id
     CROSS JOIN main.protocol p ON p.dataset_id = d.id
     CROSS JOIN main.judge j
     CROSS JOIN judged_claims(u.id, p.id, j.id, 1) c
WHERE NOT EXISTS (SELECT 1 FROM main.protocol_input i WHERE i.protocol_id = p.id AND i.kind = 'run')
      AND p.linker NOT LIKE '%[absent=%';

CREATE TEMP VIEW scores AS           -- what each record adds to each metric
SELECT d.name     AS dataset,
       u.name     AS run,
       p.name     AS protocol,       -- NULL: the metric needs no attack
       p.sample   AS sample,
       j.name     AS judge,          -- NULL: the metric needs no judge
       coalesce(a.model, b.name) AS model, -- who answered, where the metric is of answers to a task; whose vectors
       s.record   AS record,
       s.metric   AS metric,
       s.state    AS state,          -- 'value', 'failed', 'missing', 'not applicable'
       s.outcome  AS outcome,        -- 'right', 'wrong', 'not_linked', or NULL
       s.value    AS value,          -- of this record; the bin (0 to 9) for distance_histogram
       s.weight   AS weight,         -- units it stands for: 1, or the claims of a pooled rate; a sum of weights
       s.slice    AS slice           -- '' the whole; a named part: 'Age' ... Parts may overlap
FROM main.dataset d CROSS JOIN main.run u ON u.dataset_id = d.id CROSS JOIN main.evaluation e ON e.run_id = u.id
     LEFT JOIN main.protocol p ON p.id = e.protocol_id LEFT JOIN main.judge j ON j.id = e.judge_id
     LEFT JOIN main.answer_set a ON a.id = e.answer_set_id
     LEFT JOIN main.embedder b ON b.id = e.embedder_id
     CROSS JOIN record_scores(e.id, d.id, e.tier, e.definitions) s;

CREATE TEMP VIEW metrics AS
SELECT d.name     AS dataset,
       u.name     AS run,
       p.name     AS protocol,       -- NULL: needs no attack
       p.sample   AS sample,
       j.name     AS judge,          -- NULL: needs no judge
       coalesce(a.model, b.name) AS model, -- who answered, where the metric is of answers to a task; whose vectors
       f.name     AS metric,
       m.slice    AS slice,          -- '' all; 'right', 'wrong', 'not_linked'; 'bin:0' to 'bin:9' (value: how many); 'Age' ...;
                                     -- 'median', 'std' over records; 'max' over texts
       m.value    AS value,          -- NULL: not applicable. Failed and missing records count as leaked
       m.low      AS low,            -- 95 % interval
       m.high     AS high,
       m.n        AS n,              -- records with a value
       m.failed   AS failed,
       m.missing  AS missing,
       m.not_applicable AS not_applicable,
       m.if_leaked AS if_leaked,     -- bounds: everything missing leaked,
       m.if_private AS if_private,   -- nothing missing leaked
       m.drop_value AS drop_value,   -- failed and missing records left out
       m.drop_low AS drop_low,
       m.drop_high AS drop_high,
       CASE WHEN f.name = 'token_precision_weighted' THEN m.units / 65536.0 WHEN f.name = 'mean_certainty' THEN m.units / 4
            WHEN f.name LIKE 'attribute_accuracy%half' THEN m.units / 2 ELSE m.units END
                  AS units,          -- pooled rates: claims, entities ... that value is a share of; a sum of weights
       CASE WHEN f.name = 'token_precision_weighted' THEN m.drop_units / 65536.0
            WHEN f.name = 'mean_certainty' THEN m.drop_units / 4
            WHEN f.name LIKE 'attribute_accuracy%half' THEN m.drop_units / 2 ELSE m.drop_units END
                  AS drop_units,
       f.direction AS direction,     -- 'higher = more private' ...
       CASE WHEN m.slice NOT IN ('right', 'wrong', 'not_linked', 'median', 'std', 'max') AND m.slice NOT LIKE 'bin:%'
            THEN m.n * 1.0 / nullif(m.n + m.failed + m.missing + (1 - f.optional) * m.not_applicable, 0) END
                  AS coverage        -- records with a value / all; NULL of parts by outcome and of statistics: that of ''
FROM main.metric m JOIN main.evaluation e ON e.id = m.evaluation_id JOIN main.run u ON u.id = e.run_id
     JOIN main.dataset d ON d.id = u.dataset_id JOIN main.metric_definition f ON f.id = m.metric
     LEFT JOIN main.protocol p ON p.id = e.protocol_id LEFT JOIN main.judge j ON j.id = e.judge_id
     LEFT JOIN main.answer_set a ON a.id = e.answer_set_id
     LEFT JOIN main.embedder b ON b.id = e.embedder_id;
