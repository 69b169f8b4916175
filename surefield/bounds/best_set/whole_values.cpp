#include "surefield/bounds/best_set/whole_values.hpp"

#include <cmath>

namespace surefield {
namespace {

class WholeTerms final : public TermVisitor {
 public:
  bool answer() const { return whole_ && size_ < 0x1p52; }

  void constant(double w) override { see(w); }
  void linear(Index, double w) override { see(w); }
  void pair(Index, Index, double w) override { see(w); }
  void product(std::span<const Entry>, double w) override { see(w); }
  void best(std::span<const Entry> members, double w) override {
    see(w);
    for (const Entry& entry : members) see(entry.value), see(w * entry.value);
  }
  void cover(std::span<const Entry> members, double w) override {
    see(w);
    for (const Entry& entry : members) whole_ = whole_ && (entry.value == 0 || entry.value == 1);
  }
  void cut(const Hyperedge&, double w) override { see(w); }
  void concave(std::span<const Entry>, const Concave&, double w) override {
    whole_ = whole_ && w == 0;
  }

 private:
  void see(double number) {
    whole_ = whole_ && std::floor(number) == number;
    size_ += std::abs(number);
  }

  bool whole_ = true;
  double size_ = 0;
};

}  // namespace

bool has_whole_values(const AnyModel& model) {
  if (!model.has_terms()) return false;
  WholeTerms terms;
  model.show_terms(terms, 1, "whole values");
  return terms.answer();
}

}  // namespace surefield
