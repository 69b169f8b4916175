// What can be asked for, one struct a command: the options of the front door beside those that say how long it may take
// and which of its parts to run. `show_options` is the table of their names, rules and meanings.
//
// The files, the model and the seed are not here: they come from a command line or from Python, each in its way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/api/agree.hpp"
#include "surefield/api/best_set.hpp"
#include "surefield/api/cross_validation.hpp"
#include "surefield/api/evaluate.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/option_visitor.hpp"
#include "surefield/api/recommend.hpp"
#include "surefield/api/sample.hpp"
#include "surefield/api/select.hpp"

namespace surefield {

struct InferWork {
  InferOptions how;
  std::optional<double> seconds;
};
void show_options(InferWork& work, OptionVisitor& visitor);
/// Which algorithms each option is for. What continues by coordinate ascent takes its options.
std::vector<OptionScope> infer_scopes(bool polish);

struct LogZWork {
  LogZOptions how{.compare = false};
  double seconds = 10;  ///< for all methods together
};
void show_options(LogZWork& work, OptionVisitor& visitor);

struct SampleWork {
  SampleOptions how;
  std::optional<double> seconds;
};
void show_options(SampleWork& work, OptionVisitor& visitor);

struct BestSetWork {
  BestSetOptions how;
  double seconds = 10;
};
void show_options(BestSetWork& work, OptionVisitor& visitor);

struct AgreeWork {
  AgreeOptions how;
  std::vector<double> inverse_temperatures{1};
  bool pairs = false;  ///< the table of pairs for two models too
};
void show_options(AgreeWork& work, OptionVisitor& visitor);
/// Two models at one temperature: the distribution both agree on; else a table of pairs.
bool asks_for_distribution(const AgreeWork& work, Index models);

struct RecommendWork {
  RecommendOptions how;
};
void show_options(RecommendWork& work, OptionVisitor& visitor);

struct EvaluateWork {
  EvaluateOptions how;
  bool non_empty = false, hide_one = false;
};
void show_options(EvaluateWork& work, OptionVisitor& visitor);
/// What the flags mean.
EvaluateOptions options_of(const EvaluateWork& work, std::uint64_t seed);

struct FitWork {
  FitOptions how = {.model = {}};  ///< no model named: model_by_options
  std::string optimiser = "adagrad", log_z = "auto";
  std::optional<std::size_t> epochs, starts;
  std::optional<Index> folds, fold;  ///< fold from 1; none: all of them
  std::optional<double> deadline;    ///< seconds for learning one model
  double width = 1e-3, seconds = 4;
};
/// Those of one training, then those of folds.
void show_options(FitWork& work, OptionVisitor& visitor);
void show_training_options(FitWork& work, OptionVisitor& visitor);
/// Which methods, as `fit_name` calls them, each option is for.
std::vector<OptionScope> fit_scopes();
/// The method that will run: "flid by nce"; the model's name alone where fit() will refuse it.
std::string fit_name(const FitOptions& how);
/// What is learned where no model is named: the family that an option given is for, else the best.
std::string model_by_options(std::span<const std::string> given, const FitOptions& how);
/// What training is told: the options with the names of methods resolved.
CrossValidationOptions options_of(const FitWork& work, std::uint64_t seed, const Budget& budget);

struct SelectWork {
  SelectOptions how;
  std::string by = "both";
  std::vector<std::string> families;  ///< compared by hidden items instead, plainest first
  bool thorough = false;              ///< all epochs and starts, whatever they take
};
void show_options(SelectWork& work, OptionVisitor& visitor);
/// Families are told apart without log Z, and only some are trained by epochs from starts.
std::vector<OptionScope> select_scopes();
/// "dimensions", "families with flid" or "families without flid".
std::string select_choice(const SelectWork& work);
/// What `by` means.
SelectOptions options_of(const SelectWork& work, std::uint64_t seed, const Budget& budget);
/// How families are learned, and the winner from all sets.
FitOptions family_options_of(const SelectWork& work, std::uint64_t seed, const Budget& budget);

}  // namespace surefield
