// A model named on the command line, with what may be said about it: format, evidence, box, items
// forced in or out.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "surefield/api/item_choice.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/io/hard_tables.hpp"

namespace surefield::cli {

struct ModelInput {
  std::string path;
  std::string format;    ///< by its name in `surefield list`; empty = by extension and content
  std::string meaning;   ///< of the numbers in an edge list; empty = as the file's name says
  std::string evidence;  ///< UAI evidence file
  std::string box;       ///< box file
  std::optional<double> row_weight;  ///< of a row of a set cover; 1 by default
  std::vector<std::string> in, out;  ///< items by name or id from 0
  bool no_guarantee = false;
};

/// MODEL, --from, --edges, --row-weight: what it takes to read a file.
void add_model_file(CLI::App& command, ModelInput& input);
/// The same without MODEL, for commands that name their files otherwise.
void add_reading_options(CLI::App& command, ModelInput& input);
/// --in, --out, --box, --evidence, --no-guarantee: what it takes to run it.
void add_box_options(CLI::App& command, ModelInput& input);

/// The format called `name` or, without a name, the one that the path's ending says; native JSON
/// for stdout.
const ModelFormat& output_format(const std::string& name, const std::string& path);

/// The labels in a list of the command line: each text is one label that `lookup` knows, or else labels with
/// commas between them, blanks around a label left out, in double quotes where it holds a comma.
std::vector<std::string> labels_in(const std::vector<std::string>& given, const ItemLookup& lookup,
                                   std::string_view option);

/// With the labels in `<model>.items.csv`, if the model has none and that file is there; that is
/// said.
ModelFile load_file(const ModelInput& input, const CommonOptions& common);
Problem load_problem(const ModelInput& input, const CommonOptions& common);
/// For commands that answer for any F: a model that is not submodular is taken, and it is said that
/// nothing is guaranteed, unless --no-guarantee is given.
Problem load_problem_of_any_sign(ModelInput input, const CommonOptions& common);

/// Either the problem or, where load_problem would refuse the zeros of the file's tables, these
/// tables with the items forced in or out. The files are read once, so they may be pipes.
std::variant<Problem, HardTables> load_problem_or_tables(const ModelInput& input,
                                                         const CommonOptions& common);

}  // namespace surefield::cli
