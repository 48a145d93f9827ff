// Files of tensors: they come back as written, and every kind of damage is named.

#include "runtime/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "braid/error.h"

namespace braid::runtime {
namespace {

using ::testing::HasSubstr;

class Safetensors : public ::testing::Test {
 protected:
  Safetensors() {
    folder_ = std::filesystem::temp_directory_path() / ("braid_safetensors_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Safetensors() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// A file with this header and data behind it.
  std::string file(const std::string& header, size_t dataBytes, int64_t claimedLength = -1) const {
    const auto length = static_cast<uint64_t>(claimedLength >= 0 ? claimedLength : static_cast<int64_t>(header.size()));
    std::ofstream out(path("f.safetensors"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(&length), 8);
    out << header << std::string(dataBytes, 'x');
    out.close();
    return path("f.safetensors");
  }
  static std::string failure(const std::string& path) {
    try {
      readSafetensors(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::File);
      return error.what();
    }
    return "nothing was wrong";
  }

  std::filesystem::path folder_;
};

TEST_F(Safetensors, ComeBackInEveryDtype) {
  std::map<std::string, FileTensor> tensors;
  for (const DType dtype : {DType::Bool, DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8,
                            DType::Float16, DType::BFloat16, DType::Float32, DType::Float64}) {
    FileTensor tensor{dtype, {2, 3}, std::vector<std::byte>(static_cast<size_t>(6 * bytesOf(dtype)))};
    for (size_t i = 0; i < tensor.bytes.size(); ++i) tensor.bytes[i] = static_cast<std::byte>(i * 7);
    tensors.emplace(nameOf(dtype), tensor);
  }
  tensors.emplace("empty", FileTensor{DType::Float32, {0, 4}, {}});
  tensors.emplace("number", FileTensor{DType::Float32, {}, std::vector<std::byte>(4)});
  writeSafetensors(path("all.safetensors"), tensors);
  const auto read = readSafetensors(path("all.safetensors"));
  ASSERT_EQ(read.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(read.at(name).dtype, tensor.dtype) << name;
    EXPECT_EQ(read.at(name).sizes, tensor.sizes) << name;
    EXPECT_EQ(read.at(name).bytes, tensor.bytes) << name;
  }
}

TEST_F(Safetensors, ReadsMetadataOver) {
  const std::string header = R"({"__metadata__":{"format":"pt"},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  EXPECT_EQ(readSafetensors(file(header, 4)).size(), 1u);
}

TEST_F(Safetensors, DamageIsNamed) {
  EXPECT_THAT(failure(path("none.safetensors")), HasSubstr("none.safetensors"));
  std::ofstream(path("short")) << "abc";
  EXPECT_THAT(failure(path("short")), HasSubstr("short"));
  EXPECT_THAT(failure(file("{}", 0, 1000)), HasSubstr("f.safetensors"));
  EXPECT_THAT(failure(file("{}", 0, INT64_MAX)), HasSubstr("f.safetensors"));
  EXPECT_THAT(failure(file("{nonsense", 0)), HasSubstr("JSON"));
  EXPECT_THAT(failure(file("[]", 0)), HasSubstr("f.safetensors"));
  const auto tensor = [&](const std::string& entry, size_t bytes) {
    return failure(file(R"({"x":)" + entry + "}", bytes));
  };
  EXPECT_THAT(tensor(R"({"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]})", 1), HasSubstr("F8_E4M3"));
  EXPECT_THAT(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", 4), HasSubstr("x"));
  EXPECT_THAT(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", 4), HasSubstr("x"));
  EXPECT_THAT(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})", 8), HasSubstr("x"));
  EXPECT_THAT(tensor(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", 8), HasSubstr("x"));
  EXPECT_THAT(tensor(R"({"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]})", 0), HasSubstr("x"));
  EXPECT_THAT(tensor(R"({"shape":[2],"data_offsets":[0,8]})", 8), HasSubstr("x"));
  EXPECT_THAT(tensor(R"("F32")", 8), HasSubstr("x"));
}

TEST_F(Safetensors, AreWrittenWholeOrNotAtAll) {
  EXPECT_THROW(writeSafetensors(path("no/such/folder/f"), {}), Error);
  writeSafetensors(path("f"), {});
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1) << "no temporary file stays behind";
}

}  // namespace
}  // namespace braid::runtime
