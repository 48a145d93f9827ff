#include "support/fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "braid/error.h"
#include "evaluator/scalar_ops.h"
#include "ir/text.h"
#include "runtime/compare.h"
#include "runtime/compare_scaled.h"
#include "runtime/safetensors.h"

namespace braid::test {

namespace {

using evaluator::HostArray;

HostArray arrayOf(const runtime::FileTensor& tensor) {
  HostArray array(tensor.dtype, tensor.sizes);
  if (!tensor.bytes.empty()) std::memcpy(array.data(), tensor.bytes.data(), tensor.bytes.size());
  return array;
}

/// `#! ulps N: a b …` or `#! scaled N: a b …`
void readTolerance(const std::string& line, std::map<std::string, Tolerance>& tolerances) {
  std::istringstream words(line.substr(std::string("#! ").size()));
  std::string kind, colon;
  Tolerance tolerance;
  words >> kind >> tolerance.ulps >> colon;
  tolerance.ofLargest = kind == "scaled";
  for (std::string name; words >> name;) tolerances[name] = tolerance;
}

/// Consecutive floating numbers are consecutive integers here; both zeros are 0.
template <class Bits>
int64_t ordinal(const std::byte* element) {
  std::make_signed_t<Bits> bits;
  std::memcpy(&bits, element, sizeof(bits));
  const auto magnitude = static_cast<int64_t>(bits & std::numeric_limits<std::make_signed_t<Bits>>::max());
  return bits < 0 ? -magnitude : magnitude;
}

int64_t ordinal(DType dtype, const std::byte* element) {
  switch (bytesOf(dtype)) {
    case 2:
      return ordinal<uint16_t>(element);
    case 4:
      return ordinal<uint32_t>(element);
    default:
      return ordinal<uint64_t>(element);
  }
}

bool isNan(DType dtype, const std::byte* element) {
  double value;
  evaluator::applyCast(dtype, DType::Float64, {element, false, {}}, reinterpret_cast<std::byte*>(&value), 1);
  return std::isnan(value);
}

}  // namespace

std::vector<std::filesystem::path> fixtureFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(BRAID_SOURCE_DIR) / "tests" / "fixtures")) {
    if (entry.path().extension() == ".fusion") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Fixture readFixture(const std::filesystem::path& program) {
  std::ifstream file(program);
  std::string text;
  std::map<std::string, Tolerance> tolerances;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("#! ", 0) == 0) readTolerance(line, tolerances);
    text += line + "\n";
  }
  Fixture fixture{ir::parse(text, program.string()), {}, {}, std::move(tolerances)};
  std::filesystem::path tensors = program;
  for (const auto& [name, tensor] : runtime::readSafetensors(tensors.replace_extension("safetensors").string())) {
    if (name.rfind("in.", 0) == 0) {
      fixture.arguments.tensors.emplace(name.substr(3), arrayOf(tensor));
    } else {
      fixture.expected.emplace(name.substr(4), arrayOf(tensor));  // out.
    }
  }
  return fixture;
}

int64_t ulpsBetween(const HostArray& a, const HostArray& b) {
  EXPECT_EQ(a.dtype(), b.dtype());
  EXPECT_EQ(a.sizes(), b.sizes());
  const std::vector<std::byte> left = a.packed(), right = b.packed();
  int64_t largest = 0;
  const auto size = static_cast<size_t>(bytesOf(a.dtype()));
  for (size_t at = 0; at < left.size(); at += size) {
    const bool leftNan = isNan(a.dtype(), &left[at]), rightNan = isNan(b.dtype(), &right[at]);
    if (leftNan && rightNan) continue;
    if (leftNan != rightNan) return std::numeric_limits<int64_t>::max();
    largest = std::max(largest, std::abs(ordinal(a.dtype(), &left[at]) - ordinal(b.dtype(), &right[at])));
  }
  return largest;
}

void expectAsEager(const Fixture& fixture, const std::vector<HostArray>& outputs, int64_t deviceUlps) {
  ASSERT_EQ(outputs.size(), fixture.expected.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ir::Output& output = fixture.fusion.outputs()[i];
    const auto expected = fixture.expected.find(output.name);
    ASSERT_NE(expected, fixture.expected.end()) << "no expected value of " << output.name;
    const HostArray& right = expected->second;
    ASSERT_EQ(outputs[i].dtype(), right.dtype()) << output.name;
    ASSERT_EQ(outputs[i].sizes(), right.sizes()) << output.name;
    const auto found = fixture.tolerances.find(output.name);
    runtime::Comparison comparison =
        runtime::compareBitwise(outputs[i], right, runtime::nanRuleOf(fixture.fusion, output));
    if (found != fixture.tolerances.end()) {
      const int64_t ulps = found->second.ulps + (found->second.ulps == 0 ? 0 : deviceUlps);
      comparison.equal = found->second.ofLargest
                             ? runtime::compareScaled(outputs[i], right, static_cast<double>(ulps)).equal
                             : ulpsBetween(outputs[i], right) <= ulps;
    }
    EXPECT_TRUE(comparison.equal) << output.name << ": " << runtime::describe(comparison, outputs[i], right);
  }
}

}  // namespace braid::test
