#include "braid/definition.h"

#include <fmt/format.h>

#include <cctype>

#include "api/nodes.h"

namespace braid {

using detail::Definition;
using detail::ExtentNode;
using detail::locationOf;

namespace {

/// A name that the text form can hold.
void checkName(const std::string& name, const ir::Location& loc) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto inside = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; };
  bool valid = !name.empty() && letter(name[0]);
  for (const char c : name) valid = valid && inside(c);
  if (valid) return;
  const std::string where = loc.text();
  throw Error(ErrorCode::InvalidArgument,
              fmt::format("'{}' is no name{}", name, where.empty() ? "" : "\n  at " + where))
      .note("a name is a letter or _, then letters, digits, _ and .");
}

}  // namespace

FusionDefinition::FusionDefinition(const std::string& name)
    : definition_(std::make_shared<Definition>(name)), ops(definition_) {
  checkName(name, {});
}

Extent FusionDefinition::define_dim(const std::string& name) {
  checkName(name, {});
  return ExtentNode::make(index::Extent::symbol(name));
}

Tensor FusionDefinition::define_tensor(const std::string& name, const ExtentList& shape, DType dtype,
                                       const Strides& strides, SourceLoc loc) {
  checkName(name, locationOf(loc));
  return definition_->tensor(
      definition_->builder.addInput(name, dtype, ExtentNode::of(shape), detail::layoutOf(strides), locationOf(loc)));
}

Tensor FusionDefinition::define_tensor(const ExtentList& shape, DType dtype, const Strides& strides, SourceLoc loc) {
  const std::string name = definition_->builder.unusedName(fmt::format("t{}", definition_->unnamedInputs++));
  return define_tensor(name, shape, dtype, strides, loc);
}

Tensor FusionDefinition::define_scalar(const std::string& name, DType dtype, SourceLoc loc) {
  checkName(name, locationOf(loc));
  return definition_->tensor(definition_->builder.addParameter(name, dtype, locationOf(loc)));
}

void FusionDefinition::require_equal(const Extent& a, const Extent& b) {
  definition_->builder.addConstraint(
      {ir::Constraint::Kind::Equal, ExtentNode::of(a), ExtentNode::of(b), "require_equal"});
}

Tensor FusionDefinition::name(const Tensor& tensor, const std::string& name) {
  checkName(name, {});
  definition_->builder.rename(definition_->tensorId(tensor, "name"), name);
  return tensor;
}

void FusionDefinition::add_output(const Tensor& tensor, const std::string& name, SourceLoc loc) {
  if (!name.empty()) checkName(name, locationOf(loc));
  definition_->builder.addOutput(name.empty() ? tensor.name() : name, definition_->tensorId(tensor, "add_output"),
                                 nullptr, locationOf(loc));
}

void FusionDefinition::add_output(const Tensor& tensor, const std::string& name, const Strides& strides,
                                  SourceLoc loc) {
  if (!name.empty()) checkName(name, locationOf(loc));
  const ir::Layout layout = detail::layoutOf(strides);
  definition_->builder.addOutput(name.empty() ? tensor.name() : name, definition_->tensorId(tensor, "add_output"),
                                 &layout, locationOf(loc));
}

Fusion FusionDefinition::finish() { return detail::FusionNode::make(definition_->builder.finish()); }

}  // namespace braid
