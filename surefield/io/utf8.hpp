// Which bytes are UTF-8 text, and what ISO 8859-1 bytes are in it. Names in results are always
// UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace surefield {

/// Well-formed: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

std::string utf8_of_latin1(std::string_view bytes);

}  // namespace surefield
