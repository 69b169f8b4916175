#include "surefield/bounds/log_z/harris/harris_search.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "surefield/bounds/log_z/harris/harris_bound.hpp"
#include "surefield/bounds/log_z/sets_of_box.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/core/stopwatch.hpp"

namespace surefield {
namespace {

constexpr Index kSharedLevel = 2;         // classes so far below the top are shared among threads
constexpr Index kShares = 64;             // among so many searches, whatever the number of threads
constexpr double kFirstTolerance = 1e-2;  // of the upper end, while
constexpr double kFarOff = 0.1;           // the interval is wider than this
constexpr double kLeastFactor = 0.01;     // from one round's tolerance to the next
constexpr double kMostFactor = 0.5;
constexpr double kOfTimeLeft = 0.8;  // that a round is meant to take

constexpr std::uint32_t kNoItem = UINT32_MAX;

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

  /// All sets. Classes on the shared level are left in `shared`, if given and while there is room, instead of being
  /// searched. Those that find none are searched here, or left out.
  void search_all(SharedClasses* shared, bool with_all = true) {
    shared_ = shared;
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

/// What a search found: all of it, or one share.
struct Found {
  double low = 0, high = 0;  // of e^{-constant} Z
  double entries = 0;
  Index classes = 0;
  bool cut_short = false;

  static Found of(const ClassSearch& search) {
    return {search.low.value(), search.high.value(), search.entries(), search.classes(),
            search.cut_short()};
  }
};

auto fields_of(Found& found) {
  auto& [low, high, entries, classes, cut_short] = found;
  return std::tie(low, high, entries, classes, cut_short);
}

/// The classes on the shared level, every 64th of which is one share: neighbours cost alike.
struct Shares {
  double tolerance, entries;
  SharedClasses classes;

  Index count() const { return std::min(kShares, classes.parts.size()); }
  Found search(const BestItemTable& table, Index share, const Budget& budget) const {
    ClassSearch below(table, tolerance, 2 * entries / static_cast<double>(kShares), budget);
    for (Index c = share; c < classes.parts.size(); c += count())
      below.search(classes, classes.parts[c]);
    return Found::of(below);
  }
};

/// One share of a round, for another process: it comes to the same classes from the same tolerance.
struct ShareQuestion {
  double tolerance = 0, entries = 0, room = 0;
  Index classes = 0, share = 0;
};

auto fields_of(ShareQuestion& question) {
  auto& [tolerance, entries, room, classes, share] = question;
  return std::tie(tolerance, entries, room, classes, share);
}

Found search_classes(const BestItemTable& table, double tolerance, double entries,
                     const HarrisOptions& options, const Subject& subject) {
  Shares shares{tolerance, entries, SharedClasses(options.room)};
  ClassSearch top(table, tolerance, entries, options.budget);
  top.search_all(&shares.classes);
  std::vector<Found> below(shares.count());
  // Who was cut short by time has other classes than another process would have.
  ask(top.cut_short() ? nullptr : options.helpers,
      {.subject = subject,
       .count = below.size(),
       .budget = options.budget,
       .here = [&](std::size_t t) { below[t] = shares.search(table, t, options.budget); },
       .question =
           [&](std::size_t t) {
             return packed(
                 ShareQuestion{tolerance, entries, options.room, shares.classes.parts.size(), t});
           },
       .keep = [&](std::size_t t, std::string_view bytes) { below[t] = unpacked<Found>(bytes); },
       .ahead = 1});
  Found round = Found::of(top);
  CompensatedSum low = top.low, high = top.high;
  for (const Found& share : below) {
    low.add(share.low);
    high.add(share.high);
    round.entries += share.entries;
    round.classes += share.classes;
    round.cut_short |= share.cut_short;
  }
  round.low = low.value();
  round.high = high.value();
  return round;
}

/// Searches shares for another process.
class ShareSearcher {
 public:
  ShareSearcher(BestItemTable table, const Budget& budget)
      : table_(std::move(table)), budget_(budget) {}

  Found operator()(const ShareQuestion& question) {
    const auto shares = shares_of(question);
    require(shares->classes.parts.size() == question.classes, "harris: there are ",
            shares->classes.parts.size(), " classes here and ", question.classes, " there");
    return shares->search(table_, question.share, budget_);
  }

 private:
  std::shared_ptr<const Shares> shares_of(const ShareQuestion& question) {
    const std::lock_guard lock(mutex_);
    if (!shares_ || shares_->tolerance != question.tolerance ||
        shares_->entries != question.entries) {
      auto made = std::make_shared<Shares>(
          Shares{question.tolerance, question.entries, SharedClasses(question.room)});
      // Never cut short by time: the classes must be those of the other process.
      ClassSearch top(table_, question.tolerance, question.entries, Budget());
      top.search_all(&made->classes, false);
      shares_ = std::move(made);
    }
    return shares_;
  }

  const BestItemTable table_;
  const Budget budget_;
  std::mutex mutex_;
  std::shared_ptr<const Shares> shares_;
};

/// Which tolerance the time left suffices for: a round takes about tolerance^-p as long, p by the last two.
class Pace {
 public:
  void add(double tolerance, double seconds) {
    if (seconds > last_seconds_ && tolerance < last_tolerance_ && last_seconds_ > 0)
      power_ = std::clamp(std::log(seconds / last_seconds_) / std::log(last_tolerance_ / tolerance),
                          0.4, 1.0);
    last_seconds_ = std::isfinite(tolerance) ? seconds : 0;
    last_tolerance_ = tolerance;
  }
  /// Of the next round's tolerance to the last one's, at least.
  double factor_within(double seconds) const {
    return std::pow(last_seconds_ / (kOfTimeLeft * seconds), 1 / power_);
  }

 private:
  double power_ = 1;
  double last_seconds_ = 0, last_tolerance_ = kInfinity;
};

}  // namespace

HarrisLogZ harris_log_z(const AnyModel& model, const Box* box, const HarrisOptions& options) {
  require(options.width >= 0, "harris: the width is ", options.width, ", which must be >= 0");
  const BestItemTable table = best_item_table(model, box, options.beta);
  // A class costs at most a number an item and group on each level, and there is a level an item.
  const auto size = static_cast<double>(table.items * (table.groups + 4));
  const double shared = std::min(options.room, static_cast<double>(table.items) * size);
  options.budget.require({.operations = 100 * size, .bytes = 16 * 8 * size + shared}, "harris");
  Pace pace;
  double tolerance = kInfinity;  // the first round looks at all sets as one class
  HarrisLogZ result{.log_z = {-kInfinity, kInfinity}, .status = Status::kEpochLimit};
  const Subject subject{std::string(kHarrisSubject), packed(SetsOfBox::of(box, options.beta))};
  while (true) {
    const Stopwatch watch;
    const Found round =
        search_classes(table, tolerance, options.entries - result.entries, options, subject);
    pace.add(tolerance, watch.seconds());
    result.entries += round.entries;
    result.classes = round.classes;
    // Leaves are added up with one rounding more; both logarithms and the sum with the constant round too.
    const double sizes = 1 + std::abs(table.constant) + std::abs(std::log(round.high));
    const double margin =
        table.error + gamma_of(HarrisBound::roundings(table)) + gamma_of(16) * sizes;
    result.log_z.low = std::max(result.log_z.low, table.constant + std::log(round.low) - margin);
    result.log_z.high = std::min(result.log_z.high, table.constant + std::log(round.high) + margin);
    const double width = result.log_z.width();
    if (width <= options.width) {
      result.status = Status::kConverged;
    } else if (round.high - round.low <= margin * round.low) {
      result.status = Status::kDone;
    } else if (options.budget.spent() || (options.observer && !options.observer(result.log_z))) {
      result.status = Status::kInterrupted;
    } else if (!round.cut_short && result.entries < options.entries) {
      // At first the upper end is far off, and what is small beside it is not small beside Z.
      const double wanted = std::pow(0.7 * options.width / width, 1.8);
      const double next =
          width > kFarOff ? kLeastFactor : std::clamp(wanted, kLeastFactor, kMostFactor);
      const double in_time = pace.factor_within(options.budget.seconds_left());
      if (in_time > kMostFactor) {
        result.status = Status::kInterrupted;
        return result;
      }
      tolerance *= std::max(next, in_time);
      if (width > kFarOff || std::isinf(tolerance))
        tolerance = std::min(tolerance, kFirstTolerance * round.high);
      continue;
    }
    return result;
  }
}

Answerer harris_answerer(const AnyModel& model, std::string_view subject, const Budget& budget) {
  const auto sets = unpacked<SetsOfBox>(subject);
  const auto search =
      std::make_shared<ShareSearcher>(best_item_table(model, sets.get(), sets.beta), budget);
  return [search](std::string_view question) {
    return packed((*search)(unpacked<ShareQuestion>(question)));
  };
}

}  // namespace surefield
