-- Which runs are there, and how many of their texts failed?
SELECT dataset, run, sanitizer, variants, failed FROM runs ORDER BY dataset, run;

-- How much does each run leak, under each attacker?
SELECT run, protocol, value, low, high FROM metrics WHERE metric = 'leak_rate' AND slice = '' ORDER BY protocol, value;

-- How often is the right record found?
SELECT run, protocol, value, low, high FROM metrics WHERE metric = 'linkage_rate' AND slice = '' ORDER BY protocol, value;

-- What does privacy cost: how close are the texts to their originals?
SELECT run, metric, value FROM metrics WHERE metric IN ('rougeL_f', 'rouge1_f', 'bleu4') AND slice = '' ORDER BY metric, value;

-- Which records leak most claims?
SELECT run, record, count(DISTINCT n) AS claims FROM leaks GROUP BY run, record ORDER BY claims DESC, run, record LIMIT 20;

-- What leaks most often, by category?
SELECT run, category, count(*) AS leaks FROM leaks GROUP BY run, category ORDER BY leaks DESC LIMIT 20;

-- Which claims leak from a run?
SELECT record, n, rating, outcome FROM leaks
WHERE run = (SELECT max(run) FROM runs WHERE kind = 'aligned') ORDER BY record, n LIMIT 20;

-- Which records does the attacker take for another one?
SELECT run, record, linked, tied FROM links WHERE outcome = 'wrong' ORDER BY run, record LIMIT 20;

-- Which texts failed, and why?
SELECT run, record, error FROM variants WHERE error IS NOT NULL ORDER BY run, record LIMIT 20;

-- Which texts changed most?
SELECT run, record, value FROM scores WHERE metric = 'rougeL_f' AND state = 'value' ORDER BY value, run, record LIMIT 20;

-- Which words do many released texts have?
SELECT t.term, count(DISTINCT v.record) AS texts FROM variants v, tokens(text(v.variant_text)) t
WHERE v.run = (SELECT max(run) FROM runs WHERE kind = 'aligned') AND t.term IS NOT NULL
GROUP BY t.term ORDER BY texts DESC, t.term LIMIT 20;

-- How many claims does each record have?
SELECT dataset, claim_set, record, count(*) AS claims FROM claims GROUP BY 1, 2, 3 ORDER BY claims DESC, record LIMIT 20;
