// Floor division and remainder. Lemmas D1 to D9 in docs/math.md; all need a divisor that is proved positive.

#include <algorithm>

#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

IndexExpr Algebra::floorDiv(IndexExpr a, IndexExpr b) {
  if (isConstant(b, 1)) return a;
  if (const auto known = remembered(ExprKind::FloorDiv, a, b)) return *known;
  return remember(ExprKind::FloorDiv, a, b, floorDivUncached(a, b));
}

IndexExpr Algebra::mod(IndexExpr a, IndexExpr b) {
  if (isConstant(b, 1)) return constant(0);
  if (const auto known = remembered(ExprKind::Mod, a, b)) return *known;
  return remember(ExprKind::Mod, a, b, modUncached(a, b));
}

IndexExpr Algebra::floorDivUncached(IndexExpr a, IndexExpr b) {
  const Sum sum = toSum(a), n = toSum(b);
  const auto dividend = asConstant(sum), divisor = asConstant(n);
  if (dividend == 0 || divisor == 0) return constant(0);
  if (dividend && divisor) return constant(floorDivide(*dividend, *divisor));
  if (divisor && *divisor < 0 && *divisor != INT64_MIN) return floorDiv(negate(a), constant(-*divisor));  // D1
  const Context context = contextOf({a, b});
  if (!provedPositive(b, context)) return intern(ExprKind::FloorDiv, {a, b});
  return floorDivIn(sum, n, context);
}

/// a // n for a positive n. The context stays that of the whole expression while terms drop out of it: (T * a + t) //
/// (T * 4) is a // 4 since t < T, and so is what is left when t is gone.
IndexExpr Algebra::floorDivIn(const Sum& a, const Sum& n, const Context& context) {
  const Reduced reduced = reduceBy(a, n, context);
  const IndexExpr quotient = fromSum(reduced.quotient);
  if (const auto k = constantQuotient(reduced.remainder, n, context)) return addConstant(quotient, *k);  // D3
  return add(quotient, floorDivReduced(reduced.remainder, n, context));
}

IndexExpr Algebra::modUncached(IndexExpr a, IndexExpr b) {
  const Sum sum = toSum(a), n = toSum(b);
  const auto dividend = asConstant(sum), divisor = asConstant(n);
  if (dividend == 0) return constant(0);
  if (divisor == 0) return a;
  if (dividend && divisor) return constant(floorModulo(*dividend, *divisor));
  if (divisor && *divisor < 0 && *divisor != INT64_MIN) return negate(mod(negate(a), constant(-*divisor)));  // D1
  const Context context = contextOf({a, b});
  if (!provedPositive(b, context)) return intern(ExprKind::Mod, {a, b});
  return modIn(sum, n, context);
}

IndexExpr Algebra::modIn(const Sum& a, const Sum& n, const Context& context) {
  Sum rest = reduceBy(a, n, context).remainder;
  while (true) {
    if (const auto k = constantQuotient(rest, n, context)) return fromSum(addSums(rest, n, checkedNegate(*k)));  // D3
    Sum simpler = reduceBy(dropInnerRemainders(rest, n), n, context).remainder;
    if (simpler == rest) break;
    rest = std::move(simpler);
  }
  return modReduced(rest, n, context);
}

/// D2: splits a = n * quotient + remainder, term by term. A coefficient keeps its sign; a constant lands in [0, n).
Algebra::Reduced Algebra::reduceBy(const Sum& a, const Sum& n, const Context& context) {
  if (n.size() != 1) return divideLong(a, n, context);
  Reduced result;
  for (const Term& term : a) {
    if (const auto quotient = divideTerm(term, n[0])) {
      result.quotient.push_back(*quotient);
      continue;
    }
    const auto monomial = divideMonomial(term.monomial, n[0].monomial);
    const bool whole = term.monomial == one_;
    const int64_t share = !monomial ? 0
                          : whole   ? floorDivide(term.coefficient, n[0].coefficient)
                                    : term.coefficient / n[0].coefficient;
    if (share != 0) result.quotient.push_back({share, *monomial});
    const int64_t rest = share == 0 ? term.coefficient : term.coefficient - share * n[0].coefficient;
    if (rest != 0) result.remainder.push_back({rest, term.monomial});
  }
  sortTerms(result.quotient);
  return result;
}

/// Long division by a sum such as T + 2. Kept only where it helps: the remainder is proved small or is shorter.
Algebra::Reduced Algebra::divideLong(const Sum& a, const Sum& n, const Context& context) {
  Reduced result{{}, a};
  try {
    for (int step = 0; step < 16; ++step) {
      const auto divisible = std::find_if(result.remainder.begin(), result.remainder.end(), [&](const Term& term) {
        const Term& lead = n[0];
        return term.coefficient % lead.coefficient == 0 && divideMonomial(term.monomial, lead.monomial);
      });
      if (divisible == result.remainder.end()) break;
      const Sum share{{divisible->coefficient / n[0].coefficient, *divideMonomial(divisible->monomial, n[0].monomial)}};
      result.quotient = addSums(result.quotient, share);
      result.remainder = addSums(result.remainder, mulSums(share, n), -1);
    }
  } catch (const Error&) {
    return {{}, a};
  }
  if (result.remainder.size() < a.size() || constantQuotient(result.remainder, n, context)) return result;
  return {{}, a};
}

std::optional<IndexExpr> Algebra::exactQuotient(IndexExpr a, IndexExpr b) {
  const Sum n = toSum(b);
  Sum rest = toSum(a), quotient;
  for (int step = 0; step < 64 && !rest.empty(); ++step) {
    // In lexicographic order the leading term of a multiple is a multiple of the leading term.
    const auto monomial = divideMonomial(rest[0].monomial, n[0].monomial);
    if (!monomial || rest[0].coefficient % n[0].coefficient != 0) return std::nullopt;
    const Sum share{{rest[0].coefficient / n[0].coefficient, *monomial}};
    quotient = addSums(quotient, share);
    rest = addSums(rest, mulSums(share, n), -1);
  }
  return rest.empty() ? std::optional(fromSum(quotient)) : std::nullopt;
}

/// The largest term that divides every term of n.
Term Algebra::contentOf(const Sum& n) {
  Term content = n[0];
  for (const Term& term : n) {
    content.coefficient = greatestCommonDivisor(content.coefficient, term.coefficient);
    content.monomial = commonMonomial(content.monomial, term.monomial);
  }
  return content;
}

Sum Algebra::divideSum(const Sum& sum, const Term& by) {
  Sum result;
  for (const Term& term : sum) result.push_back(*divideTerm(term, by));
  sortTerms(result);
  return result;
}

/// What the terms have in common with the content of a divisor, and, where there is none, with each other; the largest
/// first.
std::vector<Term> Algebra::factorCandidates(const Sum& sum, const Term* content) {
  std::vector<Term> candidates;
  const auto addCandidate = [&](const Term& candidate) {
    if (candidate == Term{1, one_} || candidate.coefficient < 1) return;
    if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end()) candidates.push_back(candidate);
  };
  for (size_t i = 0; i < sum.size(); ++i) {
    const Term& term = sum[i];
    if (term.monomial == one_) continue;
    const int64_t coefficient = greatestCommonDivisor(term.coefficient, 0);
    if (content) {
      const auto known = tryMul(coefficient, node(term.monomial).divisor);
      const int64_t common = greatestCommonDivisor(known ? *known : coefficient, content->coefficient);
      addCandidate({common, commonMonomial(term.monomial, content->monomial)});
      addCandidate({common, one_});
      continue;
    }
    addCandidate({coefficient, one_});
    for (size_t j = i + 1; j < sum.size(); ++j)
      addCandidate(
          {greatestCommonDivisor(coefficient, sum[j].coefficient), commonMonomial(term.monomial, sum[j].monomial)});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Term& a, const Term& b) {
    const size_t sizeA = factors(a.monomial).size(), sizeB = factors(b.monomial).size();
    return sizeA != sizeB ? sizeA > sizeB : a.coefficient > b.coefficient;
  });
  return candidates;
}

/// sum = multiple + rest where factor divides multiple and 0 <= rest < factor, if that can be proved.
std::optional<Algebra::Split> Algebra::splitBy(const Sum& sum, const Term& factor, const Context& context) {
  Split split;
  for (const Term& term : sum) {
    if (term.monomial == one_ && factor.monomial == one_) {
      const int64_t rest = floorModulo(term.coefficient, factor.coefficient);
      if (const auto multiple = trySub(term.coefficient, rest); multiple && *multiple != 0)
        split.multiple.push_back({*multiple, one_});
      if (rest != 0) split.rest.push_back({rest, one_});
    } else {
      (divideTerm(term, factor) ? split.multiple : split.rest).push_back(term);
    }
  }
  if (split.multiple.empty() || split.rest.empty()) return std::nullopt;
  const Sum divisor{factor};
  const auto k = constantQuotient(split.rest, divisor, context);
  if (!k) return std::nullopt;
  split.multiple = addSums(split.multiple, divisor, *k);
  split.rest = addSums(split.rest, divisor, -*k);
  return split;
}

/// D4: the largest factor g of n for which sum = g * m + rest with a rest that is not 0.
std::optional<Algebra::Split> Algebra::findSmallRest(const Sum& sum, const Sum& n, const Context& context) {
  const Term content = contentOf(n);
  if (content == Term{1, one_}) return std::nullopt;
  for (const Term& candidate : factorCandidates(sum, &content)) {
    if (Sum{candidate} == n || !provedPositive(termExpr(candidate), context)) continue;
    auto split = splitBy(sum, candidate, context);
    if (split && !split->rest.empty()) return split;
  }
  return std::nullopt;
}

/// D5: what divides every coefficient of sum and n, if that is not 1 and proved positive.
std::optional<Term> Algebra::commonFactor(const Sum& sum, const Sum& n, const Context& context) {
  Sum all = sum;
  all.insert(all.end(), n.begin(), n.end());
  const Term common = contentOf(all);
  if (common == Term{1, one_} || !provedPositive(termExpr(common), context)) return std::nullopt;
  return common;
}

/// r // n where no term of r is a multiple of n and r is not within one step of n.
IndexExpr Algebra::floorDivReduced(Sum r, const Sum& n, const Context& context) {
  if (const auto split = findSmallRest(r, n, context))  // (g * m + rest) // (g * n') = (g * m) // (g * n')
    return floorDivIn(split->multiple, n, context);
  if (const auto g = commonFactor(r, n, context)) return floorDivIn(divideSum(r, *g), divideSum(n, *g), context);
  const IndexExpr divisor = fromSum(n);
  const int64_t offset = r.size() == 2 && r[1].monomial == one_ ? r[1].coefficient : 0;
  const bool oneAtom = r[0].coefficient == 1 && r.size() == (offset == 0 ? 1 : 2);
  if (oneAtom && node(r[0].monomial).kind == ExprKind::FloorDiv) {
    // D6: (x // m + k) // n = (x + k * m) // (m * n)
    const IndexExpr x = node(r[0].monomial).operands[0], m = node(r[0].monomial).operands[1];
    if (provedPositive(m, context)) {
      try {
        return floorDivIn(addSums(toSum(x), toSum(m), offset), mulSums(toSum(m), n), context);
      } catch (const Error&) {
        // the product does not fit: no rule
      }
    }
  }
  if (oneAtom && offset == 0 && node(r[0].monomial).kind == ExprKind::Mod && n.size() == 1) {
    // D7: (x % (n * k)) // n = (x // n) % k
    const IndexExpr x = node(r[0].monomial).operands[0], m = node(r[0].monomial).operands[1];
    const Sum modulus = toSum(m);
    const auto k = modulus.size() == 1 ? divideTerm(modulus[0], n[0]) : std::nullopt;
    if (k && provedPositive(m, context)) return modIn(toSum(floorDivIn(toSum(x), n, context)), {*k}, context);
  }
  if (oneAtom && offset == 0 && node(r[0].monomial).kind == ExprKind::Select) {
    // D9: a quotient of a select of constants is a select of constants
    const std::vector<IndexExpr> select = node(r[0].monomial).operands;
    if (asConstant(select[1]) && asConstant(select[2]) && asConstant(n))
      return this->select(select[0], floorDiv(select[1], divisor), floorDiv(select[2], divisor));
  }
  return intern(ExprKind::FloorDiv, {fromSum(std::move(r)), divisor});
}

IndexExpr Algebra::modReduced(Sum r, const Sum& n, const Context& context) {
  if (const auto split = findSmallRest(r, n, context))  // (g * m + rest) % (g * n') = (g * m) % (g * n') + rest
    return add(modIn(split->multiple, n, context), fromSum(split->rest));
  if (const auto g = commonFactor(r, n, context))  // (g * m) % (g * n') = g * (m % n')
    return mul(termExpr(*g), modIn(divideSum(r, *g), divideSum(n, *g), context));
  const IndexExpr divisor = fromSum(n);
  if (r.size() == 1 && r[0].coefficient == 1 && node(r[0].monomial).kind == ExprKind::Select) {
    const std::vector<IndexExpr> select = node(r[0].monomial).operands;
    if (asConstant(select[1]) && asConstant(select[2]) && asConstant(n))
      return this->select(select[0], mod(select[1], divisor), mod(select[2], divisor));
  }
  return intern(ExprKind::Mod, {fromSum(std::move(r)), divisor});
}

/// D8: c * (x % m) is c * x modulo n where n divides c * m.
Sum Algebra::dropInnerRemainders(const Sum& sum, const Sum& n) {
  if (n.size() != 1) return sum;
  for (const Term& term : sum) {
    for (const IndexExpr factor : factors(term.monomial)) {
      if (node(factor).kind != ExprKind::Mod) continue;
      const IndexExpr x = node(factor).operands[0];
      const Sum m = toSum(node(factor).operands[1]);
      const Sum outer{{term.coefficient, *divideMonomial(term.monomial, factor)}};
      try {
        const Sum period = mulSums(outer, m);
        if (period.size() != 1 || !divideTerm(period[0], n[0])) continue;
        Sum replaced = addSums(sum, Sum{term}, -1);
        replaced = addSums(replaced, mulSums(outer, toSum(x)));
        return dropInnerRemainders(replaced, n);
      } catch (const Error&) {
        continue;
      }
    }
  }
  return sum;
}

}  // namespace braid::index
