#!/bin/bash
# The per-record values of three real runs, for interval_bench:  bench/interval_runs.sh RESIDUE SHARED
# Azure's PII service on SynthPAI, an LLM's anonymized biographies (RUPTA), and scrub on MedQA's vignettes (mediQ).
set -euo pipefail
residue=$(realpath "$1") data=$(realpath "$2")/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
r() { "$residue" -q "$@" > /dev/null; }
r init
r ingest dataset synthpai --preset synthpai "$data/synthpai/comments_original.jsonl"
r atomize synthpai
r ingest run synthpai/azure --preset synthpai "$data/synthpai/comments_azure_anonymized.jsonl"
r ingest dataset bio "$data/rupta_anonymized/db_bio_example.jsonl" --id wiki_name --text text
r atomize bio
r ingest run bio/rupta "$data/rupta_anonymized/db_bio_example.jsonl" --id wiki_name --text anonymized_text
r ingest dataset mediq --preset mediq "$data/mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl"
r sanitize mediq --with scrub --run scrub
for run in synthpai/azure bio/rupta mediq/scrub; do r eval "$run"; done
"$residue" -q sql --csv "
  WITH wide AS (
    SELECT dataset || '/' || run AS run, record,
           max(CASE WHEN metric = 'semantic_distance' AND state = 'value' THEN value END) AS distance,
           max(CASE WHEN metric = 'leak_rate' THEN weight END) AS claims,
           max(CASE WHEN metric = 'leak_rate' THEN round(value * weight) END) AS leaked,
           max(CASE WHEN metric = 'exposed_rate' THEN value END) AS exposed,
           max(CASE WHEN metric = 'leak_rate_absent' THEN round(value * weight) END) AS others,
           max(CASE WHEN metric = 'leak_rate_gain' THEN round(value * weight) END) AS gained,
           max(CASE WHEN metric = 'full_leak_rate' THEN round(value * weight) END) AS full_leaked,
           max(CASE WHEN metric = 'full_leak_rate_absent' THEN round(value * weight) END) AS full_others,
           max(CASE WHEN metric = 'full_leak_rate_gain' THEN round(value * weight) END) AS full_gained,
           max(CASE WHEN metric = 'net_leakage' THEN value END) AS net_leakage
    FROM scores WHERE protocol LIKE 'bm25/%' AND run NOT IN ('none', 'remove-all') GROUP BY 1, 2)
  SELECT run, distance, claims, leaked, exposed, others, coalesce(gained, 0) AS gained, full_leaked, full_others,
         coalesce(full_gained, 0) AS full_gained, net_leakage
  FROM wide WHERE distance IS NOT NULL ORDER BY run, record"
