#include "surefield/io/baskets/line_source.hpp"

#include <algorithm>
#include <cstring>

#include "surefield/io/utf8.hpp"

namespace surefield {
namespace {

constexpr Index kPiece = Index{1} << 16;
constexpr Index kHead = Index{1} << 20;
constexpr Index kLongestLine = Index{1} << 26;

/// Line ends of a text of which a part is known: CRLF is one.
Index line_ends(std::string_view text) {
  Index count = 0;
  for (Index k = 0; k < text.size(); ++k)
    count += text[k] == '\n' ? (k == 0 || text[k - 1] != '\r') : text[k] == '\r';
  return count;
}

}  // namespace

std::string_view cut_line(std::string_view& text) {
  const auto end = std::min(text.size(), text.find_first_of("\r\n"));
  const std::string_view line = text.substr(0, end);
  Index behind = end;
  if (behind < text.size()) behind += text.substr(behind).starts_with("\r\n") ? 2 : 1;
  text.remove_prefix(behind);
  return line;
}

LineSource::LineSource(Refill refill, std::string_view name)
    : refill_(std::move(refill)), name_(name) {}

LineSource LineSource::of_text(std::string_view text, std::string_view name) {
  return {[text](char* there, Index most) mutable {
            const Index count = std::min(most, text.size());
            std::memcpy(there, text.data(), count);
            text.remove_prefix(count);
            return count;
          },
          name};
}

bool LineSource::read_more() {
  if (ended_) return false;
  const bool start = bytes_ == 0;
  buffer_.erase(0, at_);
  at_ = 0;
  require(buffer_.size() <= kLongestLine, name_, ":", number_ + 1, ": the line is longer than ",
          kLongestLine, " bytes");
  const Index before = buffer_.size();
  const Index piece =
      std::max(kPiece, before);  // doubling: a long line is looked at in linear time
  buffer_.resize(before + piece);
  const Index got = refill_(buffer_.data() + before, piece);
  buffer_.resize(before + got);
  bytes_ += got;
  ended_ = got == 0;
  if (start && (buffer_.starts_with("\xFF\xFE") || buffer_.starts_with("\xFE\xFF"))) {
    wide_ = buffer_.front() == '\xFF' ? Wide::kLittleEndian : Wide::kBigEndian;
    buffer_.erase(0, 2);
    mark_ = true;
  }
  if (wide_ != Wide::kNo) {
    wide_bytes_.append(buffer_, before);
    buffer_.resize(before);
    if (!append_utf16(buffer_, wide_bytes_, wide_ == Wide::kBigEndian, ended_))
      fail(name_, ":", number_ + 1 + line_ends(buffer_),
           ": found half a character, expected UTF-16 text as its first bytes say");
  }
  if (start && buffer_.starts_with("\xEF\xBB\xBF")) {
    buffer_.erase(0, 3);
    mark_ = true;
  }
  if (const auto zero = buffer_.find('\0', std::min(before, buffer_.size()));
      zero != std::string::npos)
    fail(name_, ":", number_ + 1 + line_ends(std::string_view(buffer_).substr(0, zero)),
         ": found a byte 0, expected text");
  return !ended_;
}

std::string_view LineSource::head() {
  while ((buffer_.size() < kHead || line_ends(buffer_) < 3) && read_more()) continue;
  if (ended_) return buffer_;
  const auto last = buffer_.find_last_of("\r\n");
  return std::string_view(buffer_).substr(0, last == std::string::npos ? buffer_.size() : last);
}

bool LineSource::next() {
  while (true) {
    const auto end = buffer_.find_first_of("\r\n", at_);
    // A CR at the end of a piece may be half of a CRLF.
    const bool whole =
        end != std::string::npos && (buffer_[end] == '\n' || end + 1 < buffer_.size());
    if (whole || (!read_more() && ended_)) break;
  }
  if (at_ >= buffer_.size()) return false;
  std::string_view left = std::string_view(buffer_).substr(at_);
  const Index before = left.size();
  line_ = cut_line(left);
  at_ += before - left.size();
  ++number_;
  return true;
}

}  // namespace surefield
