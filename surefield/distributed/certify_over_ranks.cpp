#include "surefield/distributed/certify_over_ranks.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "surefield/distributed/work_queue.hpp"

namespace surefield {
namespace {

/// The values of the own variables of all ranks, on every rank.
std::vector<double> whole_point(const FieldSlice& slice, Index variables, std::span<const double> x,
                                const Communicator& ranks) {
  std::vector<std::uint64_t> own(slice.own);
  for (Index i = 0; i < slice.own; ++i) own[i] = slice.in_model(i);
  const auto places = ranks.gather_to_all(std::span<const std::uint64_t>(own));
  const auto values = ranks.gather_to_all(x.first(slice.own));
  std::vector<double> whole(variables);
  for (std::size_t r = 0; r < places.size(); ++r)
    for (std::size_t k = 0; k < places[r].size(); ++k) whole[places[r][k]] = values[r][k];
  return whole;
}

}  // namespace

std::optional<Certificate> certify_over_ranks(const BinaryField& model, const FieldSlice& slice,
                                              std::span<const double> x, double value,
                                              CertifyOptions options, const Communicator& ranks) {
  const std::vector<double> whole = whole_point(slice, model.variables(), x, ranks);
  std::optional<Problem> problem;
  ranks.together([&] {
    ModelFile file = read_binary_model(model.folder());
    problem = make_problem(std::move(file.model), {}, std::move(file.box));
  });
  // Whoever is out of time says so to all; that ends the proof, not the program.
  std::atomic<bool> over = false;
  WorkQueue queue(ranks, [&] { over = true; });
  options.budget = options.budget.asking([&] { return !over; });
  options.crew = &queue;
  auto found = certify(*problem, whole, value, options);
  if (!found) return found;
  std::vector<double> sliced(slice.size());
  for (Index i = 0; i < sliced.size(); ++i) sliced[i] = found->point[slice.in_model(i)];
  found->point = std::move(sliced);
  return found;
}

}  // namespace surefield
