#!/bin/bash
# The store of calibration_bench:  bench/calibration_runs.sh RESIDUE SHARED DIR
# MedQA's vignettes (mediQ): 472 are released as they are, 800 persons are not. The release is attacked with what is known
# of its own people (dataset released, run none), and of the others (dataset others, run release: the same texts).
set -euo pipefail
residue=$(realpath "$1") data=$(realpath "$2")/data/mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl
mkdir -p "$3"
cd "$3"
r() { "$residue" -q "$@" > /dev/null; }
head -n 472 "$data" > released.jsonl
tail -n +473 "$data" > others.jsonl
r init
r ingest dataset released --preset mediq released.jsonl
r ingest dataset others --preset mediq others.jsonl
"$residue" -q sql --originals --format jsonl \
  "SELECT record AS id, text(record_text) AS text FROM records WHERE dataset = 'released' AND text(record_text) <> ''" > release.jsonl
r ingest run others/release release.jsonl --synthetic --texts-are-meant
r eval released/none
r eval others/release
