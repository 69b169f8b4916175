// Pairwise binary field (Ising model, QUBO): a quadratic set function.
//
//   F(S) = constant + sum_{i in S} bias_i + sum_{i<j in S} coupling_ij
//   m(x) = constant + sum_i bias_i x_i + sum_{i<j} coupling_ij x_i x_j       multilinear extension
//
// Submodular if and only if every coupling is <= 0.
// Cost: partial O(degree), set O(1), value and gradient O(n + edges); memory 12 bytes per edge end.
// The field of a node is summed from its neighbours when asked for, so a sweep reads each edge end
// once, writes nothing but x, and never drifts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/large_arrays.hpp"
#include "surefield/core/neighbours.hpp"
#include "surefield/core/settle_run.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct Edge {
  std::uint32_t from, to;
  double weight;
  bool operator==(const Edge&) const = default;
};

struct PairwiseField {
  static constexpr std::string_view kKind = "pairwise";
  class State;
  class Set;

  double constant = 0;  ///< F of the empty set
  std::vector<double> bias;
  std::vector<std::size_t> start{0};  ///< the edge ends of node i are start[i] .. start[i+1]
  std::vector<std::uint32_t>
      neighbour;  ///< every edge twice, once from either end; ascending per node
  std::vector<double> coupling;
  /// How far the numbers of this model may be from those they were made of, summed over all terms.
  double inherited_error = 0;

  Index size() const { return bias.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;

  /// Every edge once, from < to, in order.
  std::vector<Edge> edges() const;
  Neighbours neighbours() const& { return {start, neighbour}; }
  Neighbours neighbours() const&& = delete;
};

class PairwiseField::State {
 public:
  static constexpr bool kIndependentMoves = true;  // set writes x_i, partial reads its neighbours
  State(const PairwiseField& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const {
    const auto* const to = model_->neighbour.data();
    const double* const weight = model_->coupling.data();
    double field = model_->bias[i];
    for (std::size_t e = model_->start[i]; e < model_->start[i + 1]; ++e)
      field += weight[e] * x_[to[e]];
    return field;
  }
  /// Those of many, with the bits of partial. Nodes of four neighbours, which a grid is made of, without a loop.
  void partials(std::span<const Index> ids, std::span<double> out) const {
    const std::size_t* const start = model_->start.data();
    const std::uint32_t* const neighbour = model_->neighbour.data();
    const double* const coupling = model_->coupling.data();
    const double* const bias = model_->bias.data();
    const double* const x = x_.data();
    for (Index k = 0; k < ids.size(); ++k) {
      const Index i = ids[k];
      const std::size_t first = start[i], last = start[i + 1];
      const std::uint32_t* const to = neighbour + first;
      const double* const weight = coupling + first;
      double field = bias[i];
      if (last - first == 4) [[likely]] {
        field += weight[0] * x[to[0]];
        field += weight[1] * x[to[1]];
        field += weight[2] * x[to[2]];
        field += weight[3] * x[to[3]];
      } else {
        for (std::size_t e = 0; e < last - first; ++e) field += weight[e] * x[to[e]];
      }
      out[k] = field;
    }
  }
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v) { x_[i] = v; }

  Neighbours neighbours() const { return model_->neighbours(); }
  /// Asks memory for what the partials of some coordinates are made of.
  void foresee_fields(std::span<const Index> ids) const {
    for (const Index i : ids) {
      prefetch_line(model_->bias.data() + i);
      prefetch_line(model_->neighbour.data() + model_->start[i]);
      prefetch_line(model_->coupling.data() + model_->start[i]);
    }
  }
  /// A step of mean field along a run of neighbours(); a box that is null is the unit box. Runs that pack_run has packed are read there.
  RunMoves settle_run(const GridRun& run, double beta, const Box* box, double wakes,
                      const double* packed) {
    return surefield::settle_run(run, arrays(x_.data(), box, packed), beta, wakes);
  }
  void pack_run(const GridRun& run, double* packed) const {
    surefield::pack_run(run, arrays(nullptr, nullptr, nullptr), packed);
  }

 private:
  RunArrays arrays(double* x, const Box* box, const double* packed) const {
    return {.bias = model_->bias.data(),
            .coupling = model_->coupling.data(),
            .x = x,
            .low = box != nullptr ? box->low.data() : nullptr,
            .high = box != nullptr ? box->high.data() : nullptr,
            .packed = packed};
  }

  const PairwiseField* model_;
  std::vector<double, LargeArrays<double>> x_;
};

/// gain O(degree), add and remove O(1), value O(n + edges).
class PairwiseField::Set {
 public:
  explicit Set(const PairwiseField& model) : model_(&model), chosen_(model.size(), 0) {}

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const { return model_->evaluate(chosen_); }
  void add(Index i) { chosen_[i] = 1; }
  void remove(Index i) { chosen_[i] = 0; }

 private:
  const PairwiseField* model_;
  std::vector<std::uint8_t> chosen_;
};

/// Parallel edges are added up exactly, then rounded once. Throws Error unless every edge joins two
/// different nodes and every number is finite, sums of parallel edges too.
PairwiseField make_pairwise_field(std::vector<double> bias, std::span<const Edge> edges,
                                  double constant = 0);

/// Why F is not submodular, naming the pair; nothing if it is.
std::optional<std::string> submodularity_violation(const PairwiseField& model);

/// Sizes, rounding and submodularity, proved in pairwise_field_facts.cpp.
Facts facts_of(const PairwiseField& model);

}  // namespace surefield
