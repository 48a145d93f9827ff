#include "braid/definition.h"

#include <fmt/format.h>

#include "api/nodes.h"
#include "ir/sugar.h"

namespace braid {

using detail::Definition;
using detail::ExtentNode;
using detail::locationOf;
using detail::scalarOf;

namespace detail {

ir::ValueId Definition::tensorId(const Tensor& tensor, std::string_view op) const {
  if (&of(tensor) == this) return idOf(tensor);
  throw Error(ErrorCode::InvalidArgument, fmt::format("{}: {} belongs to another definition, {}", op, tensor.name(),
                                                      of(tensor).builder.fusion().name()));
}

ir::ValueId Definition::operandId(const Operand& operand, std::string_view op) {
  if (operand.tensor() != nullptr) return tensorId(*operand.tensor(), op);
  return builder.literal(scalarOf(operand.number()));
}

Tensor Definition::add(ir::Op op, const std::vector<Operand>& operands, SourceLoc loc) {
  std::vector<ir::ValueId> ids;
  for (const Operand& operand : operands) ids.push_back(operandId(operand, nameOf(op)));
  return tensor(builder.add(std::move(op), std::move(ids), "", locationOf(loc)));
}

namespace {

std::vector<Operand> operandsOf(const std::vector<Tensor>& tensors) { return {tensors.begin(), tensors.end()}; }

std::vector<Tensor> addSugar(Definition& definition, const ir::Sugar& op, const std::vector<Tensor>& operands,
                             SourceLoc loc) {
  std::vector<ir::ValueId> ids;
  for (const Tensor& each : operands) {
    ids.push_back(definition.tensorId(each, std::visit([](const auto& sugar) { return sugar.kName; }, op)));
  }
  std::vector<Tensor> results;
  for (const ir::ValueId id : ir::addSugar(definition.builder, op, ids, {}, locationOf(loc))) {
    results.push_back(definition.tensor(id));
  }
  return results;
}

}  // namespace
}  // namespace detail

using detail::addSugar;
using detail::operandsOf;

Tensor Ops::neg(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Neg}, {x}, loc); }
Tensor Ops::abs(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Abs}, {x}, loc); }
Tensor Ops::exp(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Exp}, {x}, loc); }
Tensor Ops::exp2(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Exp2}, {x}, loc); }
Tensor Ops::expm1(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Expm1}, {x}, loc);
}
Tensor Ops::log(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Log}, {x}, loc); }
Tensor Ops::log2(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Log2}, {x}, loc); }
Tensor Ops::log10(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Log10}, {x}, loc);
}
Tensor Ops::log1p(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Log1p}, {x}, loc);
}
Tensor Ops::sqrt(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Sqrt}, {x}, loc); }
Tensor Ops::rsqrt(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Rsqrt}, {x}, loc);
}
Tensor Ops::reciprocal(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Reciprocal}, {x}, loc);
}
Tensor Ops::sin(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Sin}, {x}, loc); }
Tensor Ops::cos(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Cos}, {x}, loc); }
Tensor Ops::tan(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Tan}, {x}, loc); }
Tensor Ops::asin(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Asin}, {x}, loc); }
Tensor Ops::acos(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Acos}, {x}, loc); }
Tensor Ops::atan(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Atan}, {x}, loc); }
Tensor Ops::sinh(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Sinh}, {x}, loc); }
Tensor Ops::cosh(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Cosh}, {x}, loc); }
Tensor Ops::tanh(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Tanh}, {x}, loc); }
Tensor Ops::erf(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Erf}, {x}, loc); }
Tensor Ops::erfc(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Erfc}, {x}, loc); }
Tensor Ops::sigmoid(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Sigmoid}, {x}, loc);
}
Tensor Ops::silu(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Silu}, {x}, loc); }
Tensor Ops::gelu(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Gelu}, {x}, loc); }
Tensor Ops::relu(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Relu}, {x}, loc); }
Tensor Ops::floor(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Floor}, {x}, loc);
}
Tensor Ops::ceil(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Ceil}, {x}, loc); }
Tensor Ops::round(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Round}, {x}, loc);
}
Tensor Ops::trunc(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::Trunc}, {x}, loc);
}
Tensor Ops::isnan(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::IsNan}, {x}, loc);
}
Tensor Ops::isinf(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::IsInf}, {x}, loc);
}
Tensor Ops::isfinite(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::IsFinite}, {x}, loc);
}
Tensor Ops::sign(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Sign}, {x}, loc); }
Tensor Ops::logical_not(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::LogicalNot}, {x}, loc);
}
Tensor Ops::bitwise_not(const Operand& x, SourceLoc loc) {
  return definition_->add(ir::Unary{ir::UnaryKind::BitwiseNot}, {x}, loc);
}
Tensor Ops::set(const Operand& x, SourceLoc loc) { return definition_->add(ir::Unary{ir::UnaryKind::Set}, {x}, loc); }
Tensor Ops::cast(const Tensor& x, DType dtype, SourceLoc loc) { return definition_->add(ir::Cast{dtype}, {x}, loc); }

Tensor Ops::add(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Add}, {a, b}, loc);
}
Tensor Ops::sub(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Sub}, {a, b}, loc);
}
Tensor Ops::mul(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Mul}, {a, b}, loc);
}
Tensor Ops::div(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Div}, {a, b}, loc);
}
Tensor Ops::floordiv(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::FloorDiv}, {a, b}, loc);
}
Tensor Ops::mod(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Mod}, {a, b}, loc);
}
Tensor Ops::fmod(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Fmod}, {a, b}, loc);
}
Tensor Ops::pow(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Pow}, {a, b}, loc);
}
Tensor Ops::atan2(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Atan2}, {a, b}, loc);
}
Tensor Ops::maximum(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Maximum}, {a, b}, loc);
}
Tensor Ops::minimum(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Minimum}, {a, b}, loc);
}
Tensor Ops::eq(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Eq}, {a, b}, loc);
}
Tensor Ops::ne(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Ne}, {a, b}, loc);
}
Tensor Ops::lt(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Lt}, {a, b}, loc);
}
Tensor Ops::le(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Le}, {a, b}, loc);
}
Tensor Ops::gt(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Gt}, {a, b}, loc);
}
Tensor Ops::ge(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::Ge}, {a, b}, loc);
}
Tensor Ops::logical_and(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::LogicalAnd}, {a, b}, loc);
}
Tensor Ops::logical_or(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::LogicalOr}, {a, b}, loc);
}
Tensor Ops::logical_xor(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::LogicalXor}, {a, b}, loc);
}
Tensor Ops::bitwise_and(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::BitwiseAnd}, {a, b}, loc);
}
Tensor Ops::bitwise_or(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::BitwiseOr}, {a, b}, loc);
}
Tensor Ops::bitwise_xor(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::BitwiseXor}, {a, b}, loc);
}
Tensor Ops::lshift(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::LShift}, {a, b}, loc);
}
Tensor Ops::rshift(const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Binary{ir::BinaryKind::RShift}, {a, b}, loc);
}

Tensor Ops::where(const Tensor& condition, const Operand& a, const Operand& b, SourceLoc loc) {
  return definition_->add(ir::Ternary{ir::TernaryKind::Where}, {condition, a, b}, loc);
}
Tensor Ops::clamp(const Operand& x, const Operand& min, const Operand& max, SourceLoc loc) {
  return definition_->add(ir::Ternary{ir::TernaryKind::Clamp}, {x, min, max}, loc);
}
Tensor Ops::lerp(const Operand& a, const Operand& b, const Operand& weight, SourceLoc loc) {
  return definition_->add(ir::Ternary{ir::TernaryKind::Lerp}, {a, b, weight}, loc);
}
Tensor Ops::addcmul(const Operand& a, const Operand& b, const Operand& c, const Operand& value, SourceLoc loc) {
  return definition_->add(ir::Ternary{ir::TernaryKind::Addcmul}, {a, b, c, value}, loc);
}

Tensor Ops::slice(const Tensor& x, const ExtentList& start, const ExtentList& stop, const ExtentList& step,
                  SourceLoc loc) {
  return definition_->add(ir::Slice{ExtentNode::of(start), ExtentNode::of(stop), ExtentNode::of(step)}, {x}, loc);
}
Tensor Ops::pad(const Tensor& x, const ExtentList& widths, const Scalar& value, SourceLoc loc) {
  return definition_->add(ir::Pad{ExtentNode::of(widths), scalarOf(value)}, {x}, loc);
}
Tensor Ops::cat(const std::vector<Tensor>& tensors, int64_t dim, SourceLoc loc) {
  return definition_->add(ir::Cat{dim}, operandsOf(tensors), loc);
}
Tensor Ops::stack(const std::vector<Tensor>& tensors, int64_t dim, SourceLoc loc) {
  return addSugar(*definition_, ir::Stack{dim}, tensors, loc)[0];
}
Tensor Ops::reshape(const Tensor& x, const ExtentList& shape, SourceLoc loc) {
  return definition_->add(ir::Reshape{ExtentNode::of(shape)}, {x}, loc);
}
Tensor Ops::permute(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc) {
  return definition_->add(ir::Permute{dims}, {x}, loc);
}
Tensor Ops::transpose(const Tensor& x, int64_t dim0, int64_t dim1, SourceLoc loc) {
  return addSugar(*definition_, ir::Transpose{dim0, dim1}, {x}, loc)[0];
}
Tensor Ops::broadcast_in_dim(const Tensor& x, const ExtentList& shape, const std::vector<int64_t>& dims,
                             SourceLoc loc) {
  return definition_->add(ir::BroadcastInDim{ExtentNode::of(shape), dims}, {x}, loc);
}
Tensor Ops::expand(const Tensor& x, const ExtentList& shape, SourceLoc loc) {
  return definition_->add(ir::Expand{ExtentNode::of(shape)}, {x}, loc);
}
Tensor Ops::squeeze(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc) {
  return definition_->add(ir::Squeeze{dims}, {x}, loc);
}
Tensor Ops::unsqueeze(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc) {
  return addSugar(*definition_, ir::Unsqueeze{dims}, {x}, loc)[0];
}
Tensor Ops::flip(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc) {
  return definition_->add(ir::Flip{dims}, {x}, loc);
}
Tensor Ops::roll(const Tensor& x, const ExtentList& shifts, const std::vector<int64_t>& dims, SourceLoc loc) {
  return addSugar(*definition_, ir::Roll{ExtentNode::of(shifts), dims}, {x}, loc)[0];
}
std::vector<Tensor> Ops::chunk(const Tensor& x, int64_t chunks, int64_t dim, SourceLoc loc) {
  return addSugar(*definition_, ir::Chunk{chunks, dim}, {x}, loc);
}
std::vector<Tensor> Ops::split(const Tensor& x, const ExtentList& sizes, int64_t dim, SourceLoc loc) {
  return addSugar(*definition_, ir::SplitSizes{ExtentNode::of(sizes), dim}, {x}, loc);
}
Tensor Ops::repeat(const Tensor& x, const ExtentList& repeats, SourceLoc loc) {
  return addSugar(*definition_, ir::Repeat{ExtentNode::of(repeats)}, {x}, loc)[0];
}
Tensor Ops::repeat_interleave(const Tensor& x, const Extent& repeats, int64_t dim, SourceLoc loc) {
  return addSugar(*definition_, ir::RepeatInterleave{ExtentNode::of(repeats), dim}, {x}, loc)[0];
}

Tensor Ops::full(const ExtentList& shape, const Scalar& value, DType dtype, SourceLoc loc) {
  return definition_->add(ir::Full{ExtentNode::of(shape), scalarOf(value), dtype}, {}, loc);
}
Tensor Ops::iota(const Extent& extent, const Scalar& start, const Scalar& step, DType dtype, SourceLoc loc) {
  return definition_->add(ir::Iota{ExtentNode::of(extent), scalarOf(start), scalarOf(step), dtype}, {}, loc);
}

}  // namespace braid
