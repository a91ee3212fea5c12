-- Which sanitizers were run, and how many texts failed?
SELECT run, kind, sanitizer, variants, failed
FROM runs WHERE dataset = 'clinic' ORDER BY run;

-- How much does an attacker learn from each run?
SELECT run, value, low, high FROM metrics
WHERE dataset = 'clinic' AND metric = 'leak_rate' AND slice = '' AND protocol LIKE 'bm25/%' ORDER BY value, run;

-- How many records does an attacker find in each run?
SELECT run, value, n FROM metrics
WHERE dataset = 'clinic' AND metric = 'linkage_rate' AND slice = '' AND protocol LIKE 'bm25/%' ORDER BY value, run;

-- What is privacy paid with?
SELECT p.run, round(p.value, 2) AS semantic_distance, round(u.value, 2) AS rouge1_f
FROM metrics p JOIN metrics u ON u.dataset = p.dataset AND u.run = p.run
WHERE p.dataset = 'clinic' AND p.metric = 'semantic_distance' AND p.slice = '' AND p.protocol LIKE 'bm25/%'
  AND u.metric = 'rouge1_f' AND u.slice = '' ORDER BY p.run;

-- Which numbers of a run cover less than all records?
SELECT DISTINCT metric, coverage
FROM metrics WHERE run = 'scrub' AND (protocol IS NULL OR protocol LIKE 'bm25/%') AND coverage < 1 AND slice = ''
ORDER BY coverage, metric LIMIT 3;

-- Which kinds of facts leak most from a run?
SELECT slice, round(value, 2) AS leak_rate, n FROM metrics
WHERE run = 'scrub' AND metric = 'leak_by_category' AND protocol LIKE 'bm25/%' ORDER BY value DESC, slice LIMIT 5;

-- How many leaks has each run?
SELECT run, count(*) AS leaks
FROM leaks WHERE dataset = 'clinic' AND protocol LIKE 'bm25/%' GROUP BY run ORDER BY run;

-- How many leaks are of one kind?
SELECT count(*) AS leaks FROM leaks
WHERE run = 'scrub' AND protocol LIKE 'bm25/%' AND EXISTS (SELECT 1 FROM json_each(category) WHERE value = 'Health');

-- Whose records leak most?
SELECT record, count(*) AS leaks FROM leaks
WHERE run = 'scrub' AND protocol LIKE 'bm25/%' GROUP BY record ORDER BY leaks DESC, record LIMIT 3;

-- What leaked of one record? (--claims)
SELECT n, rating, substr(text(claim_text), 1, 60) AS claim FROM leaks
WHERE run = 'scrub' AND record = 'n-01' AND protocol LIKE 'bm25/%' ORDER BY n LIMIT 3;

-- In how many runs does each claim of a record leak?
SELECT n, count(DISTINCT run) AS runs FROM leaks
WHERE record = 'n-01' AND protocol LIKE 'bm25/%' GROUP BY n ORDER BY runs DESC, n LIMIT 3;

-- Which leaks of a record did the run prevent?
SELECT n
FROM leaks WHERE run = 'none' AND record = 'n-01' AND protocol LIKE 'bm25/%'
EXCEPT SELECT n FROM leaks WHERE run = 'scrub' AND record = 'n-01' AND protocol LIKE 'bm25/%' ORDER BY n LIMIT 3;

-- Do claims leak although the attacker found the wrong text?
SELECT outcome, count(*) AS leaks FROM leaks
WHERE run = 'scrub' AND protocol LIKE 'bm25/%' GROUP BY outcome ORDER BY outcome;

-- How did the judge rate the claims that the attacker did not know?
SELECT rating, count(*) AS claims FROM judgments
WHERE run = 'scrub' AND judge = 'lexical' AND protocol LIKE 'bm25/%' AND known = 0 GROUP BY rating ORDER BY rating;

-- How often was the right text found?
SELECT outcome, count(*) AS records FROM links
WHERE run = 'scrub' AND protocol LIKE 'bm25/%' GROUP BY outcome ORDER BY outcome;

-- Who was taken for whom?
SELECT record, linked, rank FROM links
WHERE run = 'scrub' AND protocol LIKE 'bm25/%' AND outcome = 'wrong' ORDER BY record LIMIT 3;

-- In which runs is one record found?
SELECT run, outcome, rank
FROM links WHERE record = 'n-01' AND protocol LIKE 'bm25/%' ORDER BY run;

-- Where was it a close call?
SELECT record, outcome, tied FROM links
WHERE run = 'scrub' AND protocol LIKE 'bm25/%' AND tied > 0 ORDER BY record LIMIT 3;

-- What did the sanitizer make of a record?
SELECT substr(text(variant_text), 1, 60) AS text
FROM variants WHERE run = 'scrub' AND record = 'n-01';

-- How many texts did the sanitizer leave as they were?
SELECT count(*) AS unchanged
FROM variants WHERE run = 'scrub' AND variant_text = record_text;

-- Which texts are missing?
SELECT record, error
FROM variants WHERE run = 'scrub' AND error IS NOT NULL ORDER BY record;

-- Which sanitized texts say a word?
SELECT record
FROM variants WHERE run = 'scrub' AND text(variant_text) LIKE '%captain%' ORDER BY record LIMIT 3;

-- Which sanitized texts would a search find?
SELECT rank, record FROM bm25('clinic/scrub', 'ferry captain', 3);

-- Who has the most records?
SELECT person, records
FROM persons WHERE dataset = 'clinic' ORDER BY records DESC, person LIMIT 3;

-- What does a record say? (--claims)
SELECT n, substr(text(claim_text), 1, 60) AS claim
FROM claims WHERE record = 'n-01' ORDER BY n LIMIT 3;

-- Of which records is most left?
SELECT record, round(value, 2) AS rouge1_f FROM scores
WHERE run = 'scrub' AND metric = 'rouge1_f' ORDER BY value DESC, record LIMIT 3;

-- How does one record do in each run?
SELECT run, metric, round(value, 2) AS value FROM scores
WHERE record = 'n-01' AND metric = 'leak_rate' AND slice = '' AND protocol LIKE 'bm25/%' ORDER BY run;

-- Which records does a run change least, against another run?
SELECT a.record, round(b.value - a.value, 2) AS lost FROM scores a
JOIN scores b ON b.dataset = a.dataset AND b.record = a.record
WHERE a.run = 'scrub' AND a.metric = 'rouge1_f' AND b.run = 'none' AND b.metric = 'rouge1_f'
ORDER BY b.value - a.value, a.record LIMIT 3;

-- Which marked strings survive? (--originals)
SELECT text(label_text) ->> 'type' AS type,
  instr(CAST(text(variant_text) AS BLOB),
        substr(CAST(text(labels.record_text) AS BLOB), (text(label_text) ->> 'start') + 1,
               (text(label_text) ->> 'end') - (text(label_text) ->> 'start'))) > 0 AS survives
FROM labels JOIN variants ON variants.dataset = labels.dataset AND variants.record = labels.record
WHERE kind = 'span' AND labels.record = 'n-01' AND variants.record = 'n-01' AND variants.run = 'scrub'
ORDER BY survives DESC, type LIMIT 5;

-- What kinds of things did the sanitizer replace? (--claims)
SELECT e.value ->> 2 AS type, count(*) AS replaced
FROM spans s, json_each(text(s.spans_text)) e
WHERE s.run = 'scrub' GROUP BY 1 ORDER BY replaced DESC, type LIMIT 5;
