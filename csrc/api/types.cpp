#include "braid/types.h"

#include "api/nodes.h"
#include "braid/error.h"
#include "ir/text.h"

namespace braid {

namespace detail {

index::Extent ExtentNode::of(const Extent& extent) { return extent.node_ ? extent.node_->extent : extent.constant_; }

Extent ExtentNode::make(const index::Extent& extent) {
  if (const auto constant = extent.asConstant()) return Extent(*constant);
  return Extent(std::make_shared<const ExtentNode>(ExtentNode{extent}));
}

ir::Extents ExtentNode::of(const ExtentList& list) {
  ir::Extents result;
  for (const Extent& each : list.values()) result.push_back(of(each));
  return result;
}

ir::Scalar scalarOf(const Scalar& scalar) {
  switch (scalar.kind()) {
    case Scalar::Kind::Bool:
      return ir::Scalar::boolean(scalar.integer() != 0);
    case Scalar::Kind::Int:
      return ir::Scalar::integral(scalar.integer());
    case Scalar::Kind::Float:
      break;
  }
  return ir::Scalar::real(scalar.floating());
}

ir::Layout layoutOf(const Strides& strides) {
  ir::Layout layout;
  layout.contiguous = strides.isContiguous();
  for (const Stride& each : strides.values()) {
    layout.strides.push_back(each.isAny() ? ir::StrideSpec{} : ir::StrideSpec{ExtentNode::of(each.value())});
  }
  return layout;
}

ir::Location locationOf(SourceLoc loc) {
  // The directories of a build machine say nothing to a reader.
  const std::string_view file = loc.file;
  return {std::string(file.substr(file.find_last_of('/') + 1)), loc.line};
}

}  // namespace detail

using detail::Definition;
using detail::ExtentNode;

std::string Extent::text() const { return ExtentNode::of(*this).text(); }

Extent operator+(const Extent& a, const Extent& b) { return ExtentNode::make(ExtentNode::of(a) + ExtentNode::of(b)); }
Extent operator-(const Extent& a, const Extent& b) { return ExtentNode::make(ExtentNode::of(a) - ExtentNode::of(b)); }
Extent operator*(const Extent& a, const Extent& b) { return ExtentNode::make(ExtentNode::of(a) * ExtentNode::of(b)); }

namespace {

void expectDivisor(const Extent& a, const Extent& b) {
  if (!ExtentNode::of(b).is(0)) return;
  throw Error(ErrorCode::InvalidExtent, "the extent " + a.text() + " is divided by 0");
}

}  // namespace

Extent operator/(const Extent& a, const Extent& b) {
  expectDivisor(a, b);
  return ExtentNode::make(floorDiv(ExtentNode::of(a), ExtentNode::of(b)));
}
Extent operator%(const Extent& a, const Extent& b) {
  expectDivisor(a, b);
  return ExtentNode::make(mod(ExtentNode::of(a), ExtentNode::of(b)));
}

std::string Tensor::name() const { return definition_->builder.fusion().value(Definition::idOf(*this)).name(); }
DType Tensor::dtype() const { return definition_->builder.fusion().value(Definition::idOf(*this)).dtype(); }
std::vector<Extent> Tensor::shape() const {
  std::vector<Extent> result;
  for (const index::Extent& each : definition_->builder.fusion().tensor(Definition::idOf(*this)).shape()) {
    result.push_back(ExtentNode::make(each));
  }
  return result;
}

namespace {

Tensor binary(ir::BinaryKind kind, const Operand& a, const Operand& b) {
  const Tensor* tensor = a.tensor() != nullptr ? a.tensor() : b.tensor();
  if (tensor == nullptr) throw Error(ErrorCode::InvalidArgument, "two numbers make no tensor");
  return Definition::of(*tensor).add(ir::Binary{kind}, {a, b}, a.loc());
}

}  // namespace

Tensor operator+(const Operand& a, const Operand& b) { return binary(ir::BinaryKind::Add, a, b); }
Tensor operator-(const Operand& a, const Operand& b) { return binary(ir::BinaryKind::Sub, a, b); }
Tensor operator*(const Operand& a, const Operand& b) { return binary(ir::BinaryKind::Mul, a, b); }
Tensor operator/(const Operand& a, const Operand& b) { return binary(ir::BinaryKind::Div, a, b); }
Tensor operator-(const Operand& a) {
  if (a.tensor() == nullptr) throw Error(ErrorCode::InvalidArgument, "a number is no tensor");
  return Definition::of(*a.tensor()).add(ir::Unary{ir::UnaryKind::Neg}, {a}, a.loc());
}

Fusion Fusion::parse(std::string_view text, std::string_view file) {
  return detail::FusionNode::make(ir::parse(text, file));
}
std::string Fusion::name() const { return node_->fusion.name(); }
std::string Fusion::text() const { return ir::print(node_->fusion); }
std::vector<std::string> Fusion::inputNames() const {
  std::vector<std::string> names;
  for (const ir::Input& input : node_->fusion.inputs()) names.push_back(node_->fusion.value(input.value).name());
  return names;
}
std::vector<std::string> Fusion::outputNames() const {
  std::vector<std::string> names;
  for (const ir::Output& output : node_->fusion.outputs()) names.push_back(output.name);
  return names;
}
bool Fusion::operator==(const Fusion& other) const { return node_->fusion == other.node_->fusion; }

}  // namespace braid
