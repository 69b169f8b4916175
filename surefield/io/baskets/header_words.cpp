#include "surefield/io/baskets/header_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace surefield {
namespace {

constexpr std::array<std::string_view, 12> kOrderWords{
    "order",  "transaction", "trans", "invoice", "basket", "receipt",
    "ticket", "session",     "cart",  "bill",    "set",    "registry"};
constexpr std::array<std::string_view, 10> kItemWords{"item", "product", "sku",  "stock", "article",
                                                      "ean",  "upc",     "gtin", "label", "asin"};
constexpr std::array<std::string_view, 8> kEndings{"",       "id",  "no",   "nr",
                                                   "number", "key", "code", "name"};
constexpr std::array<std::string_view, 12> kLineWords{
    "items", "item", "basket", "baskets", "products", "product",
    "sets",  "set",  "order",  "orders",  "labels",   "transactions"};

template <class Words>
bool is_word_of(const Words& words, const std::string& word) {
  for (const auto start : words)
    for (const auto ending : kEndings)
      if (word.size() == start.size() + ending.size() && word.starts_with(start) &&
          word.ends_with(ending))
        return true;
  return false;
}

}  // namespace

std::string plain_word(std::string_view text) {
  std::string word;
  for (const unsigned char c : text)
    if (std::isalnum(c) != 0) word += static_cast<char>(std::tolower(c));
  return word;
}

bool heads_orders(std::string_view text) {
  const std::string word = plain_word(text);
  return word == "tid" || is_word_of(kOrderWords, word);
}
bool heads_items(std::string_view text) { return is_word_of(kItemWords, plain_word(text)); }
bool heads_lines(std::string_view text) {
  return std::ranges::find(kLineWords, plain_word(text)) != kLineWords.end();
}
bool heads_place(std::string_view text, std::size_t k) {
  const std::string word = plain_word(text);
  const std::string number = std::to_string(k);
  return word == "item" + number || word == "product" + number;
}

}  // namespace surefield
