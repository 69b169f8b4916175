// The states and the sets of models whose type is not known: a virtual call a question, a copy a
// copy. They keep their model alive. They obey the same laws as what they hold (core/concepts.hpp).
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <utility>

#include "surefield/core/concepts.hpp"

namespace surefield {

class AnyState {
 public:
  template <class S>
  requires(!std::same_as<S, AnyState> &&
           MultilinearState<S>) explicit AnyState(S state, std::shared_ptr<const void> model)
      : model_(std::move(model)), held_(std::make_unique<Holder<S>>(std::move(state))) {}
  AnyState(const AnyState& other) : model_(other.model_), held_(other.held_->copy()) {}
  AnyState& operator=(const AnyState& other) {
    if (this == &other) return *this;
    held_ = other.held_->copy();
    model_ = other.model_;
    return *this;
  }
  AnyState(AnyState&&) noexcept = default;
  AnyState& operator=(AnyState&&) noexcept = default;

  Index size() const { return held_->size(); }
  double coordinate(Index i) const { return held_->coordinate(i); }
  double partial(Index i) const { return held_->partial(i); }
  void gradient(std::span<double> out) const { held_->gradient(out); }
  double value() const { return held_->value(); }
  void set(Index i, double v) { held_->set(i, v); }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual Index size() const = 0;
    virtual double coordinate(Index i) const = 0;
    virtual double partial(Index i) const = 0;
    virtual void gradient(std::span<double> out) const = 0;
    virtual double value() const = 0;
    virtual void set(Index i, double v) = 0;
  };
  template <class S>
  struct Holder final : Held {
    explicit Holder(S now) : state(std::move(now)) {}
    std::unique_ptr<Held> copy() const override { return std::make_unique<Holder>(state); }
    Index size() const override { return state.size(); }
    double coordinate(Index i) const override { return state.coordinate(i); }
    double partial(Index i) const override { return state.partial(i); }
    void gradient(std::span<double> out) const override { state.gradient(out); }
    double value() const override { return state.value(); }
    void set(Index i, double v) override { state.set(i, v); }
    S state;
  };

  std::shared_ptr<const void> model_;  // what is held points into it
  std::unique_ptr<Held> held_;
};

class AnySet {
 public:
  template <class S>
  requires(!std::same_as<S, AnySet> &&
           SetState<S>) explicit AnySet(S set, std::shared_ptr<const void> model)
      : model_(std::move(model)), held_(std::make_unique<Holder<S>>(std::move(set))) {}
  AnySet(const AnySet& other) : model_(other.model_), held_(other.held_->copy()) {}
  AnySet& operator=(const AnySet& other) {
    if (this == &other) return *this;
    held_ = other.held_->copy();
    model_ = other.model_;
    return *this;
  }
  AnySet(AnySet&&) noexcept = default;
  AnySet& operator=(AnySet&&) noexcept = default;

  Index size() const { return held_->size(); }
  bool contains(Index i) const { return held_->contains(i); }
  double gain(Index i) const { return held_->gain(i); }
  double value() const { return held_->value(); }
  void add(Index i) { held_->add(i); }
  void remove(Index i) { held_->remove(i); }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual Index size() const = 0;
    virtual bool contains(Index i) const = 0;
    virtual double gain(Index i) const = 0;
    virtual double value() const = 0;
    virtual void add(Index i) = 0;
    virtual void remove(Index i) = 0;
  };
  template <class S>
  struct Holder final : Held {
    explicit Holder(S now) : set(std::move(now)) {}
    std::unique_ptr<Held> copy() const override { return std::make_unique<Holder>(set); }
    Index size() const override { return set.size(); }
    bool contains(Index i) const override { return set.contains(i); }
    double gain(Index i) const override { return set.gain(i); }
    double value() const override { return set.value(); }
    void add(Index i) override { set.add(i); }
    void remove(Index i) override { set.remove(i); }
    S set;
  };

  std::shared_ptr<const void> model_;  // what is held points into it
  std::unique_ptr<Held> held_;
};

}  // namespace surefield
