// Goes through classes of sets by depth, each bounded by Harris' inequality (harris_bound.hpp), and leaves those near the top to be
// shared: told by what they are parts of, since a class itself takes several numbers an item.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "surefield/bounds/log_z/harris/harris_bound.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield::detail {

inline constexpr Index kSharedLevel = 2;  ///< classes so far below the top are shared
inline constexpr std::uint32_t kNoItem = UINT32_MAX;

/// One of the classes that another is split into: those of its sets with `with`, if that is an item, and without the
/// first `from` of its items.
struct Part {
  double scale;  // e^{F(S)} and the settled items
  double most;   // of its sum: as if no item took from another; scale is the least
  std::uint32_t from, with;
  std::uint32_t of;  // which of the classes split
};

/// Classes to be shared, told by what is split: a number an item for each of those, and a few for each part.
class SharedClasses {
 public:
  explicit SharedClasses(double room) : room_(room) {}

  std::vector<Part> parts;

  bool is_full() const { return bytes_ > room_; }
  /// The class that the parts to come are of, its items in the order of the parts.
  void split(const BestItemClass& sets) {
    split_.push_back({sets.rest, sets.best});
    bytes_ += 2.0 * sizeof(Split) + 4.0 * static_cast<double>(sets.rest.size()) +
              8.0 * static_cast<double>(sets.best.size());
  }
  void add(double scale, double most, Index from, std::uint32_t with) {
    parts.push_back({scale, most, static_cast<std::uint32_t>(from), with,
                     static_cast<std::uint32_t>(split_.size() - 1)});
    bytes_ += 2.0 * sizeof(Part);  // vectors double
  }
  void restore_split(const BestItemTable& table, std::uint32_t which, BestItemClass& sets) const {
    restore(table, split_[which].rest, split_[which].best, sets);
  }

 private:
  struct Split {
    std::vector<std::uint32_t> rest;
    std::vector<double> best;
  };
  std::vector<Split> split_;
  double room_, bytes_ = 0;
};

/// Goes through the classes below one.
class ClassSearch {
 public:
  ClassSearch(const BestItemTable& table, double tolerance, double entries, const Budget& budget)
      : table_(&table),
        bound_(table),
        tolerance_(tolerance),
        most_(entries),
        ticks_(budget, classes_between_questions(table)),
        levels_(1) {}

  /// All sets. Classes on the shared level are left in `shared` while there is room, instead of being
  /// searched. Those that find none are searched here, or left out.
  void search_all(SharedClasses& shared, bool with_all = true) {
    shared_ = &shared;
    with_all_ = with_all;
    levels_[0].sets = whole_class(*table_);
    go_through(0, 1);
  }

  /// Where it may not be split, what was known of it before.
  void search(const SharedClasses& shared, const Part& part) {
    if (!may_split()) return settle(part.scale, part.most);
    if (split_ != part.of) {  // neighbours are mostly parts of one
      split_ = part.of;
      shared.restore_split(*table_, part.of, levels_[0].sets);
      if (levels_.size() == 1) levels_.emplace_back();
    }
    make_part(*table_, levels_[0].sets, part.from, part.with == kNoItem ? nullptr : &part.with,
              levels_[1].sets);
    go_through(1, part.scale);
  }

  double entries() const { return bound_.entries(); }
  bool cut_short() const { return cut_short_; }
  Index classes() const { return classes_; }

  CompensatedSum low, high;

 private:
  struct Level {
    BestItemClass sets;
    std::vector<double> share;
  };

  void settle(double a, double b) {
    low.add(a);
    high.add(b);
  }

  /// Some milliseconds.
  static unsigned classes_between_questions(const BestItemTable& table) {
    const auto size = static_cast<double>(table.items * (table.groups + 1));
    return static_cast<unsigned>(std::clamp(3e5 / (1 + size), 1.0, 64.0));
  }

  bool may_split() {
    if (!cut_short_) cut_short_ = ticks_.spent() || bound_.entries() > most_;
    return !cut_short_;
  }

  void go_through(Index depth, double scale) {
    if (levels_.size() == depth + 1) levels_.emplace_back();
    Level& here = levels_[depth];
    BestItemClass& sets = here.sets;
    const HarrisBound::Ends ends = bound_.bound(sets);
    ++classes_;
    scale *= ends.settled;
    const double whole = scale * ends.product;
    if (whole * (ends.high - ends.low) <= tolerance_ || !may_split())
      return settle(whole * ends.low, whole * ends.high);
    std::ranges::sort(sets.rest, [&](std::uint32_t j, std::uint32_t k) {
      const double a = bound_.share(j), b = bound_.share(k);
      return a > b || (a == b && j < k);
    });
    double gap = 0;  // of the sets without the items already split off, about
    here.share.clear();
    for (std::uint32_t i = 0; i < sets.rest.size(); ++i) {
      sets.place[sets.rest[i]] = static_cast<std::int32_t>(i);
      here.share.push_back(bound_.share(sets.rest[i]));
      gap += here.share.back();
    }
    const bool leaves = shared_ && depth + 1 == kSharedLevel;
    const bool shares = leaves && !shared_->is_full();
    if (leaves && !shares && !with_all_) return;
    if (shares) shared_->split(sets);
    const auto descend = [&](Index from, std::uint32_t with, double part_scale, double most) {
      if (shares) return shared_->add(part_scale, most, from, with);
      make_part(*table_, sets, from, with == kNoItem ? nullptr : &with, levels_[depth + 1].sets);
      go_through(depth + 1, part_scale);
    };
    double without = whole;
    for (Index i = 0; i < sets.rest.size(); ++i) {
      if (i > 0 && (without * gap <= tolerance_ || cut_short_))
        return descend(i, kNoItem, scale, without);
      const std::uint32_t k = sets.rest[i];
      without /= 1 + sets.odds[k];
      gap -= here.share[i];
      descend(i + 1, k, scale * sets.odds[k], without * sets.odds[k]);
    }
    settle(scale, scale);  // none of the rest
  }

  const BestItemTable* table_;
  HarrisBound bound_;
  double tolerance_, most_;
  Ticks ticks_;
  SharedClasses* shared_ = nullptr;
  bool with_all_ = true;
  std::deque<Level> levels_;          // one a depth, used again and again
  std::uint32_t split_ = UINT32_MAX;  // the class whose parts are searched
  Index classes_ = 0;
  bool cut_short_ = false;
};

}  // namespace surefield::detail
