#include "surefield/bounds/log_z/hoelder/automaton_piece.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

/// The states a layer leads to, each once and ascending; merged where there are more than `cap`.
class Merger {
 public:
  Merger(std::vector<double> states, const AutomatonRule& rule, std::size_t cap) {
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    place_.resize(states.size());
    merged_ = states.size() > cap;
    if (!merged_) {
      for (std::size_t s = 0; s < states.size(); ++s) place_[s] = static_cast<std::uint32_t>(s);
      kept_ = states;
    } else {
      const double first = rule.worth(states.front());
      const double range = rule.worth(states.back()) - first;
      double bin = -1;
      double worth_kept = 0;
      for (std::size_t s = 0; s < states.size(); ++s) {
        const double worth = rule.worth(states[s]);
        const double here =
            range != 0 ? std::floor((worth - first) / range * static_cast<double>(cap - 1)) : 0;
        if (s == 0 || here != bin) {
          kept_.push_back(states[s]);
          worth_kept = worth;
          bin = here;
        } else if (worth > worth_kept) {
          kept_.back() = states[s];
          worth_kept = worth;
        }
        place_[s] = static_cast<std::uint32_t>(kept_.size() - 1);
      }
    }
    all_ = std::move(states);
  }

  std::uint32_t place_of(double state) const {
    return place_[static_cast<std::size_t>(std::lower_bound(all_.begin(), all_.end(), state) -
                                           all_.begin())];
  }
  const std::vector<double>& kept() const { return kept_; }
  bool merged() const { return merged_; }

 private:
  std::vector<double> all_, kept_;
  std::vector<std::uint32_t> place_;
  bool merged_ = false;
};

}  // namespace

AutomatonPiece make_automaton(std::span<const std::uint32_t> members, const Assignment& fixed,
                              std::span<const std::uint32_t> position, const AutomatonRule& rule,
                              std::size_t cap) {
  AutomatonPiece piece;
  double start = rule.start;
  for (std::size_t m = 0; m < members.size(); ++m)
    if (fixed[members[m]] != kFree) start = rule.next(start, m, fixed[members[m]] == 1);
  std::vector<double> states{start};
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (fixed[members[m]] != kFree) continue;
    std::vector<double> reached;
    for (const double s : states) {
      reached.push_back(rule.next(s, m, false));
      reached.push_back(rule.next(s, m, true));
    }
    const Merger merger(reached, rule, cap);
    AutomatonPiece::Layer layer;
    for (std::size_t s = 0; s < states.size(); ++s) {
      layer.out.push_back(merger.place_of(reached[2 * s]));
      layer.in.push_back(merger.place_of(reached[2 * s + 1]));
    }
    piece.items.push_back(position[members[m]]);
    piece.layers.push_back(std::move(layer));
    piece.merged |= merger.merged();
    states = merger.kept();
  }
  piece.value.clear();
  for (const double s : states) piece.value.push_back(rule.worth(s));
  return piece;
}

PieceSum AutomatonPiece::sum(std::span<const double> theta, double scale,
                             std::span<double> marginal) const {
  std::vector<double> later(value.size()), now;
  for (std::size_t s = 0; s < value.size(); ++s) later[s] = scale * value[s];
  std::vector<std::vector<double>> chance(layers.size());  // of being in, per state
  for (std::size_t t = layers.size(); t-- > 0;) {
    const Layer& layer = layers[t];
    now.resize(layer.out.size());
    chance[t].resize(layer.out.size());
    for (std::size_t s = 0; s < now.size(); ++s) {
      const double out = later[layer.out[s]];
      const double rise = theta[t] + (later[layer.in[s]] - out);
      now[s] = out + softplus(rise);
      chance[t][s] = sigmoid(rise);
    }
    later.swap(now);
  }
  PieceSum result{later[0], 0};
  std::vector<double> mass{1}, next;
  for (std::size_t t = 0; t < layers.size(); ++t) {
    const Layer& layer = layers[t];
    next.assign(t + 1 < layers.size() ? layers[t + 1].out.size() : value.size(), 0);
    marginal[t] = 0;
    for (std::size_t s = 0; s < mass.size(); ++s) {
      const double in = mass[s] * chance[t][s];
      marginal[t] += in;
      next[layer.in[s]] += in;
      next[layer.out[s]] += mass[s] - in;
    }
    mass.swap(next);
  }
  for (std::size_t s = 0; s < mass.size(); ++s) result.expected += mass[s] * value[s];
  return result;
}

}  // namespace surefield
