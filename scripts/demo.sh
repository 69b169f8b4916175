#!/usr/bin/env bash
# What Surefield does, on instances it makes itself: a model of every family, its mean field marginals, and how good they are.
# Writes models and results to out/, which is never wiped.
set -eu
program=$1
cd "$(dirname "$0")/.."
mkdir -p out/models out/results

printf '%-22s %-5s %12s %12s   %s\n' family n elbo "upper bound" answer
for family in flid facility-location coverage soft-grid hard-grid cut directed-cut hypergraph-cut gibbs \
              concave-over-modular log-det; do
  model=out/models/$family.json
  "$program" generate "$family" --seed 1 --quiet -o "$model"
  "$program" infer "$model" --format json --quiet -o "out/results/$family.json"
  "$program" infer "$model" --top 1 | awk -v family="$family" '
    /^answer/ { sub(/^answer +/, ""); answer = $0 }
    /^elbo/ { elbo = $2 }
    /^upper bound/ { upper = $3 == "not" ? "-" : $3 }
    /^model/ { n = $NF }
    END { printf "%-22s %-5s %12s %12s   %s\n", family, n, elbo, upper, answer }'
done
echo
echo "One of them in full:  build/release/surefield infer out/models/flid.json"
echo "All there is:         build/release/surefield list"
echo "Results as JSON:      out/results/"
