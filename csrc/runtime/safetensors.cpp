#include "runtime/safetensors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "braid/error.h"

namespace braid::runtime {

namespace {

using Json = nlohmann::json;

constexpr uint64_t kLengthBytes = 8;                    // little-endian, in front of the header
constexpr uint64_t kMaxHeaderBytes = 100'000'000;       // the format's own limit
constexpr std::string_view kMetadata = "__metadata__";  // not a tensor

constexpr std::pair<DType, std::string_view> kNames[] = {
    {DType::Bool, "BOOL"},   {DType::UInt8, "U8"},    {DType::Int8, "I8"},     {DType::Int16, "I16"},
    {DType::Int32, "I32"},   {DType::Int64, "I64"},   {DType::Float16, "F16"}, {DType::BFloat16, "BF16"},
    {DType::Float32, "F32"}, {DType::Float64, "F64"},
};

std::string_view fileNameOf(DType dtype) {
  for (const auto& [type, name] : kNames) {
    if (type == dtype) return name;
  }
  return "";
}

std::optional<DType> dtypeOf(std::string_view fileName) {
  for (const auto& [type, name] : kNames) {
    if (name == fileName) return type;
  }
  return std::nullopt;
}

Error fileError(const std::string& path, const std::string& what) {
  return Error(ErrorCode::File, fmt::format("{}: {}", path, what));
}

std::string systemError() { return std::generic_category().message(errno); }

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  std::map<std::string, FileTensor> run() {
    open();
    const Json header = readHeader();
    std::map<std::string, FileTensor> tensors;
    std::vector<Span> spans;
    for (const auto& [name, entry] : header.items()) {
      if (name != kMetadata) tensors.emplace(name, read(name, entry, spans));
    }
    checkSpans(spans);
    return tensors;
  }

 private:
  struct Span {
    uint64_t begin, end;
    std::string name;
  };

  [[noreturn]] void fail(const std::string& what) const { throw fileError(path_, what); }
  [[noreturn]] void fail(const std::string& tensor, const std::string& what) const {
    fail(fmt::format("tensor {}: {}", tensor, what));
  }

  void open() {
    std::error_code error;
    size_ = std::filesystem::file_size(path_, error);
    if (error) fail(error.message());
    file_.open(path_, std::ios::binary);
    if (!file_) fail(systemError());
  }

  void readBytes(void* target, uint64_t bytes) {
    file_.read(static_cast<char*>(target), static_cast<std::streamsize>(bytes));
    if (!file_) fail("reading failed");
  }

  Json readHeader() {
    if (size_ < kLengthBytes) fail(fmt::format("{} bytes are too few for a safetensors file", size_));
    unsigned char length[kLengthBytes];
    readBytes(length, sizeof length);
    uint64_t bytes = 0;
    for (size_t i = kLengthBytes; i-- > 0;) bytes = bytes << 8 | length[i];
    if (bytes > kMaxHeaderBytes) fail(fmt::format("a header of {} bytes: this is no safetensors file", bytes));
    if (bytes > size_ - kLengthBytes) {
      fail(fmt::format("cut short: the header has {} bytes, the file {} after it begins", bytes, size_ - kLengthBytes));
    }
    std::string text(bytes, '\0');
    readBytes(text.data(), bytes);
    dataBegin_ = kLengthBytes + bytes;
    try {
      Json header = Json::parse(text, rejectDuplicates());
      if (!header.is_object()) fail("the header is no JSON object");
      return header;
    } catch (const Json::exception& error) {
      fail(fmt::format("the header is no JSON: {}", error.what()));
    }
  }

  /// JSON allows a name twice and keeps the last; here that would drop a tensor in silence.
  Json::parser_callback_t rejectDuplicates() {
    return [this, names = std::map<std::string, int>()](int depth, Json::parse_event_t event, Json& parsed) mutable {
      if (depth == 1 && event == Json::parse_event_t::key && ++names[parsed.get<std::string>()] > 1) {
        fail(fmt::format("tensor {} is there twice", parsed.get<std::string>()));
      }
      return true;
    };
  }

  FileTensor read(const std::string& name, const Json& entry, std::vector<Span>& spans) {
    if (!entry.is_object()) fail(name, "its entry is no JSON object");
    FileTensor tensor;
    const Json dtype = entry.value("dtype", Json());
    if (!dtype.is_string()) fail(name, "no dtype");
    const auto known = dtypeOf(dtype.get<std::string>());
    if (!known) fail(name, fmt::format("dtype {} is none that Braid has", dtype.get<std::string>()));
    tensor.dtype = *known;
    const uint64_t needed = readShape(name, entry, tensor);
    const Json offsets = entry.value("data_offsets", Json());
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned()) {
      fail(name, "data_offsets must be two offsets");
    }
    const auto begin = offsets[0].get<uint64_t>(), end = offsets[1].get<uint64_t>();
    if (begin > end) fail(name, fmt::format("data_offsets [{}, {}] run backwards", begin, end));
    if (end > size_ - dataBegin_) {
      fail(name, fmt::format("cut short: its bytes end at {}, the file has {} bytes of data", end, size_ - dataBegin_));
    }
    if (end - begin != needed) {
      fail(name,
           fmt::format("its shape needs {} bytes, data_offsets [{}, {}] give {}", needed, begin, end, end - begin));
    }
    tensor.bytes.resize(needed);
    file_.seekg(static_cast<std::streamoff>(dataBegin_ + begin));
    readBytes(tensor.bytes.data(), needed);
    if (needed > 0) spans.push_back({begin, end, name});
    return tensor;
  }

  /// Returns the bytes that the shape needs.
  uint64_t readShape(const std::string& name, const Json& entry, FileTensor& tensor) const {
    const Json shape = entry.value("shape", Json());
    if (!shape.is_array()) fail(name, "no shape");
    // The product of the sizes that are not 0 must fit, so that strides over it do too.
    int64_t bytes = bytesOf(tensor.dtype);
    bool isEmpty = false;
    for (const Json& size : shape) {
      if (!size.is_number_unsigned() || size.get<uint64_t>() > INT64_MAX) {
        fail(name, fmt::format("shape {} is no list of sizes", shape.dump()));
      }
      tensor.sizes.push_back(size.get<int64_t>());
      isEmpty = isEmpty || tensor.sizes.back() == 0;
      if (__builtin_mul_overflow(bytes, std::max<int64_t>(1, tensor.sizes.back()), &bytes)) {
        fail(name, fmt::format("shape {} overflows 64 bits", shape.dump()));
      }
    }
    return isEmpty ? 0 : static_cast<uint64_t>(bytes);
  }

  void checkSpans(std::vector<Span>& spans) const {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    for (size_t i = 1; i < spans.size(); ++i) {
      if (spans[i].begin < spans[i - 1].end) {
        fail(fmt::format("the bytes of tensors {} and {} overlap", spans[i - 1].name, spans[i].name));
      }
    }
  }

  std::string path_;
  std::ifstream file_;
  uint64_t size_ = 0;
  uint64_t dataBegin_ = 0;
};

std::string headerOf(const std::string& path, const std::map<std::string, FileTensor>& tensors) {
  // Keys of a JSON object are sorted, as the map is: the same tensors give the same bytes.
  Json header = Json::object();
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    int64_t bytes = bytesOf(tensor.dtype);
    for (const int64_t size : tensor.sizes) bytes *= size;
    if (bytes != static_cast<int64_t>(tensor.bytes.size())) {
      throw fileError(path,
                      fmt::format("tensor {}: its shape needs {} bytes, it has {}", name, bytes, tensor.bytes.size()));
    }
    if (name == kMetadata) throw fileError(path, fmt::format("no tensor can be named {}", kMetadata));
    header[name] = {{"dtype", fileNameOf(tensor.dtype)},
                    {"shape", tensor.sizes},
                    {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const Json::exception& error) {
    throw fileError(path, fmt::format("a name is no UTF-8: {}", error.what()));
  }
  // So that the data begins at a multiple of 8.
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  return text;
}

}  // namespace

std::map<std::string, FileTensor> readSafetensors(const std::string& path) { return Reader(path).run(); }

void writeSafetensors(const std::string& path, const std::map<std::string, FileTensor>& tensors) {
  const std::string header = headerOf(path, tensors);
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  if (!file) throw fileError(path, systemError());
  unsigned char length[kLengthBytes];
  for (size_t i = 0; i < kLengthBytes; ++i) length[i] = static_cast<unsigned char>(header.size() >> 8 * i);
  file.write(reinterpret_cast<const char*>(length), sizeof length);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  for (const auto& [name, tensor] : tensors) {
    file.write(reinterpret_cast<const char*>(tensor.bytes.data()), static_cast<std::streamsize>(tensor.bytes.size()));
  }
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(temporary, path, error);
  if (file && !error) return;
  const std::string reason = error ? error.message() : systemError();
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  throw fileError(path, reason);
}

}  // namespace braid::runtime
