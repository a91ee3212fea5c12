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
  SELECT d.dataset || '/' || d.run AS run, d.value AS distance, l.weight AS claims, round(l.value * l.weight) AS leaked,
         e.value AS exposed
  FROM scores d JOIN scores l USING (dataset, run, record, protocol, judge) JOIN scores e
       USING (dataset, run, record, protocol, judge)
  WHERE d.metric = 'semantic_distance' AND l.metric = 'leak_rate' AND e.metric = 'exposed_rate' AND d.state = 'value'
        AND d.protocol LIKE 'bm25/%' AND d.run NOT IN ('none', 'remove-all')
  ORDER BY 1, d.record"
