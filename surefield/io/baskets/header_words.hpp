// Words that head a column: letters and digits alone count, in any case ("Invoice No." = invoiceno).
#pragma once

#include <string>
#include <string_view>

namespace surefield {

std::string plain_word(std::string_view text);
/// Of the column that says which order a line belongs to.
bool heads_orders(std::string_view text);
/// Of the column of items.
bool heads_items(std::string_view text);
/// Of a line of items: items, basket, products.
bool heads_lines(std::string_view text);
/// The k-th of numbered columns, from 1: item1, Item 2, product_3.
bool heads_place(std::string_view text, std::size_t k);

}  // namespace surefield
