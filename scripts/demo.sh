#!/usr/bin/env bash
# The main job, on data the program makes itself: registries, the dimension chosen by posterior agreement, a model, inference with
# its certificate, log Z from both sides, a recommendation, the paper's synthetic experiment, and one page with all of it.
# Where SUREFIELD_DATA (or ../shared/data) holds the authors' models, Table 1 and the figures too.
# Writes to out/, which is never wiped. About a minute on two cores.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/.."
data=${SUREFIELD_DATA:-../shared/data}
threads=$(nproc)
mkdir -p out/results
say() { printf '\n== %s\n' "$1"; }

say "1  registries: 2,000 wish lists of 40 products, drawn from a law of 5 needs"
"$program" generate registries --items 40 --dims 5 --seed 1 --truth out/truth.json -o out/registries.csv
head -n 3 out/registries.csv

say "2  how many dimensions do they bear?"
"$program" select out/registries.csv --dims 1,2,3,5,8 --folds 5 --threads "$threads" --model out/model.json \
  --format json -o out/results/1_select.json

# Exit code 1 says that an answer is short of the gap or width asked for; it is an answer all the same.
say "3  the marginals of the model, with a proof of how good they are"
"$program" infer out/model.json --certify 10 --trace --threads "$threads" --format json -o out/results/2_infer.json --quiet || [ $? -eq 1 ]
"$program" infer out/model.json --certify 10 --threads "$threads" --top 5 || [ $? -eq 1 ]

say "4  log Z, from both sides"
"$program" logz out/model.json --seconds 5 --threads "$threads" --format json -o out/results/3_logz.json || [ $? -eq 1 ]

say "5  what goes with the first product of the first list?"
first=$(head -n 1 out/registries.csv | python3 -c 'import csv, sys; print(next(csv.reader(sys.stdin))[0])')
"$program" recommend out/model.json --have "$first" -k 3 --explain
"$program" recommend out/model.json --have "$first" -k 10 --format json -o out/results/4_recommend.json --quiet

say "6  the paper's synthetic experiment"
"$program" reproduce synthetic --threads "$threads" --format json -o out/results/5_synthetic.json

if [ -d "$data/flid" ]; then
  say "7  the paper's Table 1 and figures, on the authors' models in $data/flid"
  # Exit code 1 says that a file was missing or damaged; the rest is reproduced all the same.
  "$program" reproduce table1 --data "$data/flid" --threads "$threads" --format json -o out/results/6_table1.json || [ $? -eq 1 ]
  "$program" reproduce figures --data "$data/flid" --threads "$threads" --format json -o out/results/7_figures.json || [ $? -eq 1 ]
else
  say "7  Table 1 is left out: SUREFIELD_DATA names no folder with the authors' models (docs/experiments.md)"
  rm -f out/results/6_table1.json out/results/7_figures.json
fi

build=$(dirname "$program")
python=$(sed -n 's/^SUREFIELD_PYTHON:FILEPATH=//p' "$build/CMakeCache.txt" 2>/dev/null || true)
if [ -n "$python" ] && [ -d "$build/python/surefield" ]; then
  say "8  the same model in Python"
  PYTHONPATH="$build/python" "$python" - "$first" <<'EOF'
import sys
import surefield as sf
model = sf.read("out/model.json")
print(repr(model))
print(repr(sf.infer(model)))
print(repr(sf.recommend(model, sys.argv[1], 3)))
EOF
fi

"$program" report out/results/[1-7]_*.json -o out/report.html --title "Surefield" --quiet
say "the page: $PWD/out/report.html"
echo "It shows how many dimensions the registries bear, and the marginals of the chosen model with their certificate;"
echo "log Z from both sides, method by method, and what to recommend;"
echo "the paper's experiments, each value beside the printed one and the certified interval."
