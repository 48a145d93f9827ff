#pragma once

namespace braid {

/// An exhaustive visitor from lambdas: std::visit(overloaded{[](const A&) {…}, [](const B&) {…}}, variant).
template <class... Visitors>
struct overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
overloaded(Visitors...) -> overloaded<Visitors...>;

}  // namespace braid
