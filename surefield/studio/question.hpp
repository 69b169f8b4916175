// What can be asked about a file: one row a command, by the names and options that the command line has, and answered with
// the same JSON (report/).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/bounds_now.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/ordered_json.hpp"
#include "surefield/studio/fields.hpp"
#include "surefield/studio/shelf.hpp"

namespace surefield::studio {

/// News of work under way: the name of an event and its data.
using Teller = std::function<void(std::string_view event, const OrderedJson& data)>;

struct Question {
  std::string command;
  Shelf::File file;            ///< a model or sets, as the command takes
  Shelf::File sets = nullptr;  ///< of evaluate: the held-out sets
  OrderedJson options = {};
  Budget budget = {};
  Teller tell = {};
};

struct Answer {
  std::string json;  ///< with "arguments": what to type for the same
  std::string made_name = {},
              made_text = {};  ///< of fit: the model learned, to be put on the shelf
};

struct QuestionRow {
  std::string_view command;
  std::string_view of;  ///< "model", "sets" or "model and sets"
  std::string_view about;
  Answer (*answer)(const Question& question);
};

std::span<const QuestionRow> question_table();

/// Throws Error, listing the commands there are, for any other; and unless the files are what it takes.
const QuestionRow& question_row(const Question& question);

/// The command, its files and the options that were read, then --format json.
std::vector<std::string> arguments_of(const Question& question, const Fields& fields);

/// Tells "bounds" with the seconds since now, at most some thirty times a second; the last are in the answer.
BoundsWatcher bounds_teller(const Question& question);

Answer answer_infer(const Question& question);
Answer answer_logz(const Question& question);
Answer answer_recommend(const Question& question);
Answer answer_best_set(const Question& question);
Answer answer_fit(const Question& question);
Answer answer_select(const Question& question);
Answer answer_evaluate(const Question& question);

}  // namespace surefield::studio
