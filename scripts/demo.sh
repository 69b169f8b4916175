#!/usr/bin/env bash
#     demo.sh PROGRAM [FOLDER]
# The main job, on data the program makes itself: a problem on which coordinate ascent ends in local optima and the best is proved; wish
# lists, the dimension chosen by sets held out, a model, inference with its certificate, log Z from both sides, a recommendation; the
# paper's synthetic experiment; and one page with all of it.
# Where SUREFIELD_DATA (or ../shared/data) holds the authors' models, Table 1 and the figures too.
# Writes to FOLDER, or to out/; what an earlier run left there is written over. About half a minute on two cores.
set -eu
program=$(realpath "$1")
out=$(realpath -m "${2:-"$(dirname "$0")/../out"}")
cd "$(dirname "$0")/.."
data=${SUREFIELD_DATA:-../shared/data}
threads=$(nproc)
mkdir -p "$out/results"
rm -f "$out"/results/[1-8]_*.json  # of an earlier run: they would be on the page too
say() { printf '\n== %s\n' "$1"; }
result() { "$program" "${@:2}" --threads "$threads" --format json -o "$out/results/$1.json" --quiet || [ $? -eq 1 ]; }  # 1: short of what was asked

say "1  a grid of 100 items, solved as everyone does from five starts, and by Surefield with a proof"
"$program" generate hard-grid --items 100 --seed 3 -o "$out/grid.json" --quiet
result 1_best infer "$out/grid.json" --certify 10 --trace
for start in low high; do result "1_ascent_$start" infer "$out/grid.json" -a coordinate-ascent --start $start --trace; done
for seed in 1 2 3; do result "1_ascent_random_$seed" infer "$out/grid.json" -a coordinate-ascent --start random --seed $seed --trace; done
"$program" infer "$out/grid.json" --certify 10 --threads "$threads" --top 3 || [ $? -eq 1 ]

say "2  registries: 2,000 wish lists of 40 products, drawn from a law of 5 needs; how many dimensions do they bear?"
"$program" generate registries --items 40 --dims 5 --seed 1 --truth "$out/truth.json" -o "$out/registries.csv" --quiet
"$program" select "$out/registries.csv" --dims 0,1,2,5 --by likelihood --epochs 60 --folds 5 --threads "$threads" --model "$out/model.json" \
  --format json -o "$out/results/2_select.json"

say "3  what goes with the first product of the first list?"
first=$(grep -v '^#' "$out/registries.csv" | head -n 1 | python3 -c 'import csv, sys; print(next(csv.reader(sys.stdin))[0])')
"$program" recommend "$out/model.json" --have "$first" -k 3 --explain
result 3_recommend recommend "$out/model.json" --have "$first" -k 10 --explain

say "4  the marginals of the model, and log Z from both sides"
result 4_infer infer "$out/model.json" --certify 10 --trace
result 5_logz logz "$out/model.json" --compare --seconds 5 --marginals

say "5  the paper's synthetic experiment"
result 6_synthetic reproduce synthetic

if [ -d "$data/flid" ]; then
  say "6  the paper's Table 1 and figures, on the authors' models in $data/flid"
  result 7_table1 reproduce table1 --data "$data/flid"
  result 8_figures reproduce figures --data "$data/flid"
else
  say "6  Table 1 is left out: SUREFIELD_DATA names no folder with the authors' models (docs/experiments.md)"
fi

build=$(dirname "$program")
if compgen -G "$build/python/surefield/_core*" >/dev/null; then  # `make run` does not build it, `make build` does
  say "7  the same model in Python"
  python=$(sed -n 's/^SUREFIELD_PYTHON:FILEPATH=//p' "$build/CMakeCache.txt")
  PYTHONPATH="$build/python" "$python" - "$out/model.json" "$first" <<'EOF'
import sys
import surefield as sf
model = sf.read(sys.argv[1])
print(repr(model))
print(repr(sf.infer(model)))
print(repr(sf.recommend(model, sys.argv[2], 3)))
EOF
fi

"$program" report "$out"/results/[1-8]_*.json -o "$out/report.html" --title "Answers that say how good they are" --quiet
say "the page: $out/report.html"
echo "It begins with the grid: every start of coordinate ascent, the answer that is proved to be the best, and the bound nothing is above;"
echo "then the wish lists: how many dimensions they bear, what to recommend, marginals and log Z with their certificates;"
echo "then the paper's experiments, each value beside the printed one and the certified interval."
if "$program" serve --help >/dev/null 2>&1; then
  say "the studio, to ask the model what if: $program serve $out/model.json $out/grid.json --open"
fi
