// Which bytes are UTF-8 text, and what ISO 8859-1 bytes are in it. Names in results are always
// UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace surefield {

/// Well-formed: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

std::string utf8_of_latin1(std::string_view bytes);

/// Appends the UTF-16 characters that are whole to the UTF-8 text and leaves the bytes of a half one.
/// False if a surrogate has no other half, or at the end (`last`) something is left.
bool append_utf16(std::string& text, std::string& bytes, bool big_endian, bool last);

}  // namespace surefield
