#include "surefield/models/term_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "surefield/core/error.hpp"
#include "surefield/models/concave_over_modular/concave.hpp"

namespace surefield {
namespace {

/// Adds up sizes and entries, and remembers the first term of the wrong sign.
class TermSizes final : public TermVisitor {
 public:
  void constant(double w) override { add(w, 1); }
  void linear(Index, double w) override { add(w, 1); }
  void pair(Index i, Index j, double w) override {
    add(w, 2);
    if (w > 0) refuse("items ", i, " and ", j, " attract each other by ", w);
  }
  void product(std::span<const Entry> members, double w) override {
    add(w, members.size());
    if (w > 0) refuse("a product of ", members.size(), " items has the weight ", w);
  }
  void best(std::span<const Entry> members, double w) override {
    double largest = 0;
    for (const Entry& member : members) largest = std::max(largest, std::abs(member.value));
    add(w * largest, members.size());
    any_ |= w != 0;  // whatever becomes of the product
    if (w < 0) refuse("a best item has the weight ", w);
    if (w != 0 && !members.empty() && members.front().value < 0 && members.size() > 1)
      refuse("a best item has the value ", members.front().value);
  }
  void cover(std::span<const Entry> members, double w) override {
    add(w, members.size());
    if (w < 0 && members.size() > 1) refuse("a concept has the weight ", w);
  }
  void cut(const Hyperedge&, double w) override {
    add(w, 2);
    if (w < 0) refuse("a hyperedge has the weight ", w);
  }
  void concave(std::span<const Entry> members, const Concave& shape, double w) override {
    double all = 0;
    for (const Entry& member : members) all += member.value;
    add(w * shape(all), members.size());
    any_ |= w != 0;
    if (w < 0 && members.size() > 1) refuse("a concave group has the weight ", w);
  }

  Facts facts(Index n) const {
    Facts facts{.magnitude = magnitude_, .rounding_assumed = true};
    facts.value_error = gamma_of(8 * entries_ + 64) * magnitude_;
    // And each of these roundings may underflow.
    if (any_) facts.value_error += (8 * entries_ + 64) * std::numeric_limits<double>::denorm_min();
    facts.gain_error = 2 * facts.value_error;
    facts.gain_error_sum = static_cast<double>(n) * facts.gain_error;
    if (!violation_.empty()) {
      facts.submodularity = Submodularity::kViolated;
      facts.violation = violation_;
    }
    return facts;
  }

 private:
  void add(double size, std::size_t entries) {
    magnitude_ += std::abs(size);
    entries_ += static_cast<double>(entries);
    any_ |= size != 0;
  }
  template <class... Parts>
  void refuse(const Parts&... parts) {
    if (violation_.empty()) violation_ = message(parts...);
  }

  double magnitude_ = 0, entries_ = 0;
  bool any_ = false;
  std::string violation_;
};

}  // namespace

Facts facts_of_terms(const AnyModel& model) {
  TermSizes sizes;
  model.show_terms(sizes, 1, "facts");
  return sizes.facts(model.size());
}

}  // namespace surefield
