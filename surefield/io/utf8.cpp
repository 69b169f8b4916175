#include "surefield/io/utf8.hpp"

#include <cstddef>

namespace surefield {

bool is_utf8(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i++);
    if (lead < 0x80) continue;
    if (lead < 0xC2 || lead > 0xF4) return false;
    const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    for (int k = 0; k < more; ++k, ++i) {
      if (i == text.size()) return false;
      // The first continuation byte decides whether the form is overlong, a surrogate or too great.
      const unsigned low = k > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const unsigned high = k > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      if (byte(i) < low || byte(i) > high) return false;
    }
  }
  return true;
}

std::string utf8_of_latin1(std::string_view bytes) {
  std::string result;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0 | (byte >> 6));
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

bool append_utf16(std::string& text, std::string& bytes, bool big_endian, bool last) {
  const auto unit = [&](std::size_t at) -> unsigned {
    const auto one = static_cast<unsigned char>(bytes[at]);
    const auto two = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? one * 256U + two : two * 256U + one;
  };
  std::size_t at = 0;
  bool whole = true;
  while (whole && at + 2 <= bytes.size()) {
    unsigned code = unit(at);
    if (code >= 0xD800 && code < 0xE000) {
      if (code < 0xDC00 && at + 4 > bytes.size()) break;
      const unsigned low = code < 0xDC00 ? unit(at + 2) : 0;
      whole = low >= 0xDC00 && low < 0xE000;
      if (!whole) break;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      at += 2;
    }
    at += 2;
    if (code < 0x80) {
      text += static_cast<char>(code);
      continue;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const unsigned lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
    text += static_cast<char>(lead | (code >> (6 * more)));
    for (int k = more - 1; k >= 0; --k)
      text += static_cast<char>(0x80 | ((code >> (6 * k)) & 0x3F));
  }
  bytes.erase(0, at);
  return whole && (!last || bytes.empty());
}

}  // namespace surefield
