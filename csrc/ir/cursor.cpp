#include "ir/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "braid/error.h"
#include "index/text.h"

namespace braid::ir {

namespace {

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

void Cursor::skipSpace() {
  while (position_ < text_.size()) {
    if (text_[position_] == '#') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (std::isspace(static_cast<unsigned char>(text_[position_])) != 0) {
      ++position_;
    } else {
      return;
    }
  }
}

size_t Cursor::position() {
  skipSpace();
  return position_;
}

bool Cursor::atEnd() { return position() == text_.size(); }

char Cursor::peek() { return atEnd() ? '\0' : text_[position_]; }

bool Cursor::sees(std::string_view token) {
  if (!text_.substr(position()).starts_with(token)) return false;
  const size_t end = position_ + token.size();
  return !continuesName(token.back()) || end == text_.size() || !continuesName(text_[end]);
}

bool Cursor::accept(std::string_view token) {
  if (!sees(token)) return false;
  position_ += token.size();
  return true;
}

void Cursor::expect(std::string_view token, std::string_view where) {
  if (!accept(token)) failHere(fmt::format("expected '{}' {}", token, where));
}

bool Cursor::seesName() { return startsName(peek()); }

std::string Cursor::name(std::string_view what) {
  if (!seesName()) failHere(fmt::format("expected {}", what));
  const size_t start = position_;
  while (position_ < text_.size() && continuesName(text_[position_])) ++position_;
  return std::string(text_.substr(start, position_ - start));
}

bool Cursor::seesScalar() {
  const char c = peek();
  if (isDigit(c) || c == '-' || c == '+' || c == '.') return true;
  return sees("true") || sees("false") || sees("inf") || sees("nan");
}

Scalar Cursor::scalar() {
  if (accept("true")) return Scalar::boolean(true);
  if (accept("false")) return Scalar::boolean(false);
  return number();
}

Scalar Cursor::specialNumber(bool negative) {
  if (accept("inf")) return Scalar::real(negative ? -INFINITY : INFINITY);
  expect("nan", "or a number");
  uint64_t bits = 0x7ff8000000000000;
  if (accept("(")) {
    expect("0x", "and the bits of a NaN");
    const char* first = text_.data() + position_;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), bits, 16);
    if (error != std::errc() || !std::isnan(std::bit_cast<double>(bits))) failHere("expected the bits of a NaN");
    position_ += static_cast<size_t>(last - first);
    expect(")", "after the bits of a NaN");
  }
  if (negative) bits ^= uint64_t(1) << 63;
  return Scalar::real(std::bit_cast<double>(bits));
}

Scalar Cursor::number() {
  const size_t start = position();
  const bool negative = text_[position_] == '-';
  if (negative || text_[position_] == '+') ++position_;
  if (sees("inf") || sees("nan")) return specialNumber(negative);
  size_t end = position_;
  // A sign belongs to the number behind an exponent: 1e-3, 0x1p-4.
  const bool isHex = text_.substr(end).starts_with("0x") || text_.substr(end).starts_with("0X");
  const auto isExponent = [&](char c) { return isHex ? c == 'p' || c == 'P' : c == 'e' || c == 'E'; };
  while (end < text_.size() && (continuesName(text_[end]) || ((text_[end] == '-' || text_[end] == '+') && end > start &&
                                                              isExponent(text_[end - 1])))) {
    ++end;
  }
  const std::string word(text_.substr(position_, end - position_));
  const std::string whole = (negative ? "-" : "") + word;
  const bool isInteger = !word.empty() && std::all_of(word.begin(), word.end(), isDigit);
  if (isInteger) {
    int64_t value = 0;
    const auto [last, error] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    if (error != std::errc()) fail(start, "expected an integer that fits in 64 bits");
    position_ = end;
    return Scalar::integral(value);
  }
  char* last = nullptr;
  const double value = std::strtod(whole.c_str(), &last);
  if (word.empty() || (!isDigit(word[0]) && word[0] != '.') || last != whole.c_str() + whole.size()) {
    fail(start, fmt::format("expected a number, found {}", found(start)));
  }
  position_ = end;
  return Scalar::real(value);
}

DType Cursor::dtype() {
  const size_t at = position();
  const std::string word = name("a dtype");
  if (const auto type = dtypeNamed(word)) return *type;
  std::vector<std::string> names;
  for (int i = 0; i < kDTypeCount; ++i) names.emplace_back(nameOf(static_cast<DType>(i)));
  fail(at, fmt::format("expected a dtype ({}), found '{}'", fmt::join(names, ", "), word));
}

Extent Cursor::extent() {
  const size_t at = position();
  try {
    return index::parseExtentPrefix(text_, position_);
  } catch (const Error& error) {
    // "line:column: what": the place is this text's, so it points as every other error does.
    const std::string& message = error.message();
    const size_t first = message.find(':'), second = message.find(": ");
    if (error.code() != ErrorCode::Parse || first == std::string::npos || second == std::string::npos) {
      fail(at, message);
    }
    size_t line = std::strtoul(message.c_str(), nullptr, 10), offset = 0;
    for (; line > 1 && offset < text_.size(); ++offset) line -= text_[offset] == '\n';
    fail(offset + std::strtoul(message.c_str() + first + 1, nullptr, 10) - 1, message.substr(second + 2));
  }
}

int64_t Cursor::integer() {
  const size_t at = position();
  const auto value = extent().asConstant();
  if (!value) fail(at, "expected an integer constant");
  return *value;
}

bool Cursor::boolean() {
  if (accept("true")) return true;
  if (accept("false")) return false;
  failHere("expected true or false");
}

Extents Cursor::extents() {
  if (!accept("[")) return {extent()};
  Extents result;
  if (accept("]")) return result;
  do {
    result.push_back(extent());
  } while (accept(","));
  expect("]", "or ',' in a list");
  return result;
}

std::vector<int64_t> Cursor::integers() {
  const size_t at = position();
  std::vector<int64_t> result;
  for (const Extent& each : extents()) {
    const auto value = each.asConstant();
    if (!value) fail(at, "expected a list of integer constants");
    result.push_back(*value);
  }
  return result;
}

Location Cursor::location() {
  const size_t at = position();
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return {std::string(file_), static_cast<uint32_t>(line)};
}

std::string Cursor::found(size_t position) const {
  if (position >= text_.size()) return "the end";
  size_t end = position + 1;
  while (continuesName(text_[position]) && end < text_.size() && continuesName(text_[end])) ++end;
  return fmt::format("'{}'", text_.substr(position, end - position));
}

void Cursor::fail(size_t position, const std::string& message) {
  position = std::min(position, text_.size());
  const size_t lineStart = position == 0 ? 0 : text_.rfind('\n', position - 1) + 1;  // npos + 1 is 0
  const size_t lineEnd = std::min(text_.find('\n', position), text_.size());
  throw Error(ErrorCode::Parse,
              fmt::format("{}:{}: {}\n  {}\n  {}^", file_, index::lineAndColumn(text_, position), message,
                          text_.substr(lineStart, lineEnd - lineStart), std::string(position - lineStart, ' ')));
}

void Cursor::failHere(const std::string& expected) {
  const size_t at = position();
  fail(at, fmt::format("{}, found {}", expected, found(at)));
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t bestEdits = word.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    std::vector<size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 0; i < word.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i + 1;
      for (size_t j = 0; j < candidate.size(); ++j) {
        const size_t replaced = diagonal + (word[i] == candidate[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
      }
    }
    if (row.back() < bestEdits) {
      bestEdits = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace braid::ir
