#include "surefield/io/baskets/basket_options.hpp"

#include <array>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

template <class Value>
using BasketWords = std::pair<std::string_view, Value>;

constexpr std::array<BasketWords<Separator>, 5> kSeparatorWords{
    {{"comma", Separator::kComma},
     {"semicolon", Separator::kSemicolon},
     {"tab", Separator::kTab},
     {"pipe", Separator::kPipe},
     {"space", Separator::kBlanks}}};
constexpr std::array<BasketWords<Form>, 3> kFormWords{
    {{"lines", Form::kLines}, {"long", Form::kLong}, {"matrix", Form::kMatrix}}};
constexpr std::array<BasketWords<Encoding>, 3> kEncodingWords{
    {{"utf-8", Encoding::kUtf8},
     {"latin1", Encoding::kLatin1},
     {"windows-1252", Encoding::kWindows1252}}};

template <class Words>
auto word_value(const Words& words, std::string_view name, std::string_view what) {
  std::string list;
  for (const auto& [word, value] : words) {
    if (word == name) return value;
    list.append(list.empty() ? "" : ", ").append(word);
  }
  fail("the ", what, " is '", name, "', which must be one of ", list);
}

template <class Words, class Value>
std::string_view word_of(const Words& words, Value value) {
  for (const auto& [word, known] : words)
    if (known == value) return word;
  return "";
}

}  // namespace

std::string_view text_of(Separator separator) { return word_of(kSeparatorWords, separator); }
std::string_view text_of(Form form) { return word_of(kFormWords, form); }

Separator separator_named(std::string_view name) {
  if (name.size() == 1)  // the character itself
    for (const auto& [word, value] : kSeparatorWords)
      if (static_cast<char>(value) == name[0]) return value;
  return word_value(kSeparatorWords, name, "separator");
}
Form form_named(std::string_view name) { return word_value(kFormWords, name, "form"); }
Encoding encoding_named(std::string_view name) {
  return word_value(kEncodingWords, name, "encoding");
}

}  // namespace surefield
