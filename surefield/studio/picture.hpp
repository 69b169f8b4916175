// What a model looks like, as data for a picture: its terms (models/terms.hpp), and which items replace or go with which.
//
//   linear        the weight of each item alone
//   pairs         [i, j, w]: a graph; a grid where the page finds one
//   groups        {kind, weight, members: [[i, value], ...]}: dimensions of a FLID, concepts of a coverage, cuts, concave groups
//   alone         F(i) - F(none)
//   interaction   F(i, j) - F(i) - F(j) + F(none), row by row: below 0 one replaces the other, above 0 they go together
//
// Cost: the terms, at most 40000 of their numbers; n^2 gains for the interaction, of at most 150 items.
#pragma once

#include "surefield/core/ordered_json.hpp"
#include "surefield/studio/fields.hpp"
#include "surefield/studio/shelf.hpp"

namespace surefield::studio {

/// "whole" says whether all terms are there.
OrderedJson picture_of(const AnyModel& model);

/// All that the page shows of a file before anything is asked: of a model its kind, items and picture; of sets their
/// statistics and how often each item occurs.
OrderedJson description_of(const ShelfFile& file);

/// The same in a line: id, name, what it holds, how many items.
OrderedJson summary_of(const ShelfFile& file);

}  // namespace surefield::studio
