#include "workloads.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "braid/error.h"
#include "ir/text.h"

namespace braid::bench {

const std::vector<Workload>& forwardWorkloads() {
  static const std::vector<Workload> kWorkloads = {
      {"seed_rope_one", {{"B", 2}, {"T", 1024}}},
      {"seed_qkv_rope", {{"B", 2}, {"T", 1024}}},
      {"llama2_7b", {{"B", 2}, {"T", 4096}}},
      {"llama3_8b", {{"B", 2}, {"T", 8192}}},
      {"llama3_8b_v", {{"B", 2}, {"T", 8192}}},
      {"mistral_7b", {{"B", 1}, {"T", 4096}}},
      {"gemma2_9b", {{"B", 1}, {"T", 8192}}},
      {"neox_partial", {{"B", 2}, {"T", 8192}}},
      {"hf_qwen2", {{"B", 1}, {"T", 8192}}},
      {"hf_phi3", {{"B", 1}, {"T", 8192}}},
      {"hf_mistral_nemo", {{"B", 1}, {"T", 8192}}},
      {"infer_gqa", {{"B", 1}, {"T", 8192}}},
      {"decode_b64", {{"B", 64}, {"T", 1}}},
      {"swin_roll", {{"B", 64}}},
      {"swiglu", {{"T", 8192}}},
  };
  return kWorkloads;
}

ir::Fusion loadExample(const std::string& name) {
  const std::string path = fmt::format("{}/examples/{}.fusion", BRAID_SOURCE_DIR, name);
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::File, fmt::format("{} cannot be read", path));
  std::stringstream text;
  text << file.rdbuf();
  return ir::parse(text.str(), path);
}

ir::Fusion withConstantExtents(const ir::Fusion& fusion, const ir::Symbols& dims) {
  // The text form knows every place where an extent stands.
  std::string text = ir::print(fusion);
  for (const auto& [symbol, value] : dims) {
    std::string replaced;
    size_t at = 0;
    const auto isNameCharacter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    while (at < text.size()) {
      if (!isNameCharacter(text[at])) {
        replaced += text[at++];
        continue;
      }
      size_t end = at;
      while (end < text.size() && isNameCharacter(text[end])) ++end;
      const std::string word = text.substr(at, end - at);
      replaced += word == symbol ? std::to_string(value) : word;
      at = end;
    }
    text = std::move(replaced);
  }
  return ir::parse(text, fusion.name());
}

std::map<std::string, std::vector<int64_t>> inputSizes(const ir::Fusion& fusion, const ir::Symbols& dims) {
  std::map<std::string, std::vector<int64_t>> sizes;
  for (const ir::Input& input : fusion.inputs()) {
    if (fusion.value(input.value).kind != ir::ValueKind::Tensor) continue;
    std::vector<int64_t>& shape = sizes[fusion.value(input.value).name()];
    for (const index::Extent& extent : fusion.tensor(input.value).shape()) shape.push_back(extent.evaluate(dims));
  }
  return sizes;
}

}  // namespace braid::bench
