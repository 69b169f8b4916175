// A model made ready to run: submodularity checked, flipped where that mends it, refused where
// nothing does.
//
// A field whose positive couplings form a balanced signed graph (every attractive tree or grid)
// becomes log-submodular when some variables are replaced by their complements. That is done here
// and undone on every output, so the user never sees it but in a note. See docs/flips.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct Problem {
  AnyModel model;                  ///< in flipped variables, where flips is not empty
  std::string kind;                ///< of the model as given
  std::vector<std::string> items;  ///< names, or empty
  Box box;                         ///< in the variables of `model`
  std::vector<std::uint8_t>
      flips;  ///< 1 = the model's variable is the complement of the user's; empty if none is
  std::string violation;  ///< why nothing is guaranteed; empty where the model is submodular

  Index size() const { return box.size(); }
  bool is_submodular() const { return violation.empty(); }
};

struct ProblemOptions {
  bool no_guarantee =
      false;  ///< run a model that is not log-submodular all the same, claiming nothing
};

/// Throws Error, naming the offending pair, if the model is not log-submodular, no flips make it
/// so, and that was not allowed. An empty box stands for [0, 1]^n.
Problem make_problem(AnyModel model, std::vector<std::string> items = {}, Box box = {},
                     ProblemOptions options = {});

/// A point of the problem in the user's variables.
std::vector<double> in_user_variables(const Problem& problem, std::vector<double> point);

/// A point in the user's variables as one of the problem, each coordinate moved to the nearest end
/// of its interval where it lies outside the box.
std::vector<double> in_problem_variables(const Problem& problem, std::vector<double> point);

/// The problem's box in the user's variables.
Box user_box(const Problem& problem);

}  // namespace surefield
