// Any model at all, ours or somebody else's: a handle with the facets that its type brings.
//
//   always       size, evaluate(S), at(x), empty_set()      the concept Model
//   facts_of     Facts facts_of(const M&)                   found by argument-dependent lookup; without it
//                                                           the facts of the terms, or assumptions
//   submodularity_violation                                 std::optional<std::string>, why F is not submodular
//   show_terms   void show_terms(TermVisitor&, double) const     models/terms.hpp
//   kKind        the name in results; "custom" without
//
// A handle is a value: copies share the model, which never changes. It is a Model itself, so whatever
// runs on a model runs on a handle, at a virtual call a question; code that is faster knowing the
// family asks for it with as<M>().
#pragma once

#include <concepts>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "surefield/core/concepts.hpp"
#include "surefield/models/any_state.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

class AnyModel;

/// What can be said of a model that brings no facts of its own: those of its terms, where it has any;
/// else its gains on the empty and the full set are taken for the size of its numbers, and F for
/// submodular. docs/your_own_model.md
Facts facts_without_help(const AnyModel& model);

class AnyModel {
 public:
  /// No items.
  AnyModel();
  template <class M>
  requires(!std::same_as<M, AnyModel> && Model<M>) AnyModel(M model);

  Index size() const { return held_->size(); }
  std::string_view kind() const { return held_->kind(); }
  double evaluate(Subset chosen) const { return held_->evaluate(chosen); }
  AnyState at(std::span<const double> x) const { return held_->at(x, held_); }
  AnySet empty_set() const { return held_->empty_set(held_); }
  /// Found once, then remembered. Safe from several threads.
  const Facts& facts() const;
  bool has_terms() const { return held_->has_terms(); }
  /// Shows weight * F term by term. Throws Error, naming `what` asks, if the model has no terms.
  void show_terms(TermVisitor& visitor, double weight, std::string_view what) const;

  /// The model itself if it is of that type, else null.
  template <class M>
  const M* as() const {
    return held_->type() == typeid(M) ? static_cast<const M*>(held_->address()) : nullptr;
  }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual const std::type_info& type() const = 0;
    virtual const void* address() const = 0;
    virtual Index size() const = 0;
    virtual std::string_view kind() const = 0;
    virtual double evaluate(Subset chosen) const = 0;
    virtual AnyState at(std::span<const double> x, std::shared_ptr<const void> self) const = 0;
    virtual AnySet empty_set(std::shared_ptr<const void> self) const = 0;
    virtual std::optional<Facts> own_facts() const = 0;
    virtual std::optional<std::string> own_violation() const = 0;
    virtual bool checks_itself() const = 0;
    virtual bool has_terms() const = 0;
    virtual void show_terms(TermVisitor& visitor, double weight) const = 0;

    mutable std::once_flag known;
    mutable Facts facts;
  };
  template <class M>
  struct Holder final : Held {
    explicit Holder(M given) : model(std::move(given)) {}
    const std::type_info& type() const override { return typeid(M); }
    const void* address() const override { return &model; }
    Index size() const override { return model.size(); }
    std::string_view kind() const override {
      if constexpr (requires { M::kKind; })
        return M::kKind;
      else
        return "custom";
    }
    double evaluate(Subset chosen) const override { return model.evaluate(chosen); }
    AnyState at(std::span<const double> x, std::shared_ptr<const void> self) const override {
      return AnyState(model.at(x), std::move(self));
    }
    AnySet empty_set(std::shared_ptr<const void> self) const override {
      return AnySet(model.empty_set(), std::move(self));
    }
    std::optional<Facts> own_facts() const override {
      if constexpr (requires { facts_of(model); })
        return facts_of(model);
      else
        return std::nullopt;
    }
    bool checks_itself() const override {
      return requires(const M& m) { submodularity_violation(m); };
    }
    std::optional<std::string> own_violation() const override {
      if constexpr (requires { submodularity_violation(model); })
        return submodularity_violation(model);
      else
        return std::nullopt;
    }
    bool has_terms() const override {
      if constexpr (requires { model.has_terms(); })
        return model.has_terms();
      else
        return HasTerms<M>;
    }
    void show_terms([[maybe_unused]] TermVisitor& visitor,
                    [[maybe_unused]] double weight) const override {
      if constexpr (HasTerms<M>) model.show_terms(visitor, weight);
    }
    M model;
  };

  std::shared_ptr<const Held> held_;
};

// Outside the class, so that the families of this library are compiled once: models/families.hpp.
template <class M>
requires(!std::same_as<M, AnyModel> && Model<M>) AnyModel::AnyModel(M model)
    : held_(std::make_shared<const Holder<M>>(std::move(model))) {}

inline Index size_of(const AnyModel& model) { return model.size(); }
inline std::string_view kind_of(const AnyModel& model) { return model.kind(); }
inline double evaluate(const AnyModel& model, Subset chosen) { return model.evaluate(chosen); }

/// Why F is not submodular; nothing where that is proved or assumed.
std::optional<std::string> submodularity_violation(const AnyModel& model);

/// Whether the state estimates the multilinear extension by sampling, so that its values are no
/// proof of anything.
inline bool is_estimated(const AnyModel& model) { return model.facts().estimated; }

}  // namespace surefield
