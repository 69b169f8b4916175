// A model from outside the tree, through every front door. Shown in docs/your_own_model.md.
//
// F(S) = sum_{i in S} worth_i - rent [S is not empty]: items share one fixed cost. Submodular for
// rent <= 0 only; here the rent is a subsidy, which the first item gets.
#include <cstdio>
#include <vector>

#include "surefield/surefield.hpp"

using namespace surefield;

struct SharedRent {
  static constexpr std::string_view kKind = "shared-rent";  // the name in results

  std::vector<double> worth;
  double rent = 0;  // added once, if S is not empty: >= 0 is submodular

  Index size() const { return worth.size(); }
  double evaluate(Subset chosen) const {
    double sum = 0;
    bool any = false;
    for (Index i = 0; i < size(); ++i)
      if (chosen[i]) sum += worth[i], any = true;
    return any ? sum + rent : sum;
  }

  // The multilinear extension: sum_i worth_i x_i + rent (1 - prod_i (1 - x_i)).
  class State {
   public:
    State(const SharedRent& model, std::span<const double> x)
        : model_(&model), x_(x.begin(), x.end()) {}
    Index size() const { return x_.size(); }
    double coordinate(Index i) const { return x_[i]; }
    double partial(Index i) const {
      double none = 1;
      for (Index j = 0; j < size(); ++j) none *= j == i ? 1 : 1 - x_[j];
      return model_->worth[i] + model_->rent * none;
    }
    void gradient(std::span<double> out) const {
      for (Index i = 0; i < size(); ++i) out[i] = partial(i);
    }
    double value() const {
      double sum = 0, none = 1;
      for (Index i = 0; i < size(); ++i) sum += model_->worth[i] * x_[i], none *= 1 - x_[i];
      return sum + model_->rent * (1 - none);
    }
    void set(Index i, double v) { x_[i] = v; }

   private:
    const SharedRent* model_;
    std::vector<double> x_;
  };
  // A set is a point of zeros and ones.
  class Set {
   public:
    explicit Set(const SharedRent& model) : state_(model, std::vector<double>(model.size(), 0)) {}
    Index size() const { return state_.size(); }
    bool contains(Index i) const { return state_.coordinate(i) == 1; }
    double gain(Index i) const { return state_.partial(i); }
    double value() const { return state_.value(); }
    void add(Index i) { state_.set(i, 1); }
    void remove(Index i) { state_.set(i, 0); }

   private:
    State state_;
  };
  State at(std::span<const double> x) const { return {*this, x}; }
  Set empty_set() const { return Set(*this); }

  // Optional: F as simple terms. With it the bounds by dual decomposition, Hoelder's inequality,
  // minimum cuts and elimination apply, and submodularity is proved; without it F is taken to be
  // submodular, and every bound that rests on that says so.
  void show_terms(TermVisitor& visitor, double weight) const {
    std::vector<Entry> all;
    for (std::uint32_t i = 0; i < size(); ++i) {
      visitor.linear(i, weight * worth[i]);
      all.push_back({i, 1.0});
    }
    visitor.cover(all, weight * rent);
  }
};

int main() {
  const Problem problem = make_problem(SharedRent{{-1.0, 0.5, -0.25, 0.125}, 2.0});

  const Result found = infer(problem, {.certify = 1});
  std::printf("%s: best ELBO in [%.6f, %.6f], %s\n", found.model_kind.c_str(), found.elbo,
              *found.upper_bound, found.certified_global ? "the global optimum" : "a bound");

  const LogZResult log_z_of = log_z(problem, {.goal = LogZGoal::kWidth, .marginals = true});
  std::printf("log Z in [%.6f, %.6f] by %s, %s\n", *log_z_of.lower, *log_z_of.upper,
              log_z_of.method().c_str(), std::string(text_of(log_z_of.basis)).c_str());

  const SampleResult drawn = sample(problem, {.count = 3});
  const RecommendResult next = recommend(problem, {.have = {0}, .count = 2});
  std::printf("%zu samples; with item 0, item %zu comes next with probability %.3f\n",
              drawn.sets.size(), next.suggestions[0].item, next.suggestions[0].marginal);
  return found.certified_global && log_z_of.exact ? 0 : 1;
}
