#pragma once
// The lowered program. Values, not objects: a Kernel copies, prints and is verified after each lowering step.
//
//   kernel
//     part q                      one range of blocks; `thread` counts 0 … threads-1 over the range
//       t = thread // 4 % T       LetIndex: integer scalars, each named once
//       x0[8] = load x[b*T…]      Load: a run of lanes of a register from consecutive elements
//       m[8] = mul x0, c0         Compute: lane by lane, one rounding an op
//       loop j < 4                Loop: serial
//         store q[…] = m[8]       Store
//
// Registers are single assignment; only loads may fill one in several statements, each its own lanes. A register has
// `lanes` elements of its dtype; one with a single lane may stand where more are wanted (it repeats).
// Index expressions live in the kernel's arena. They never mention a lane: what differs from lane to lane is a list.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "braid/dtype.h"
#include "index/expr.h"
#include "ir/fusion.h"

namespace braid::device_lower {

using index::IndexExpr;
using RegisterId = Id<struct RegisterTag>;
using TensorId = Id<struct TensorParamTag>;
using ParameterId = Id<struct ScalarParamTag>;

/// The axes of a tensor but for those of one element, in elements.
struct TensorAxes {
  std::vector<IndexExpr> sizes, strides;
};

/// A pointer argument: an input or an output of the segment.
struct TensorParam {
  std::string name;
  DType dtype;
  bool isOutput = false;
  int64_t alignmentBytes = 1;  ///< promised alignment of the pointer: a power of two from the facts, at most 16
  IndexExpr spanElements;      ///< one more than the largest offset from the pointer that the tensor has; 0 if empty
  /// Of an output, for whoever checks that each of its elements was written. Nothing: every element of the span is one.
  std::optional<TensorAxes> axes = std::nullopt;
  int64_t elementBytes() const { return bytesOf(dtype); }
};

/// A host parameter passed by value (`s: f32`).
struct ScalarParam {
  std::string name;
  DType dtype;
};

struct Register {
  std::string name;  ///< after the fusion's value; unique in the kernel
  DType dtype;
  int lanes = 1;
};

enum class CacheHint : uint8_t {
  Stream,    ///< touched once: evict first (.cs)
  ReadOnly,  ///< read by many threads: keep, through the read-only path
  Default,
};

/// A lane-wise operand.
using Operand = std::variant<RegisterId, ParameterId, ir::Scalar>;

/// symbol := value. Names an integer (or, when the value is a condition, a bool) for later statements.
struct LetIndex {
  IndexExpr symbol;
  IndexExpr value;
};

/// Lanes firstLane … firstLane + width - 1 of `dst` := elements offset … offset + width - 1 of `tensor`, in one access
/// of width * elementBytes bytes (a power of two up to 16), aligned to its size. Where the predicate is false nothing
/// is read and the lanes are zero.
struct Load {
  RegisterId dst;
  int firstLane = 0;
  int width = 1;
  TensorId tensor;
  IndexExpr offset;
  IndexExpr predicate;  ///< invalid: always
  CacheHint cache = CacheHint::Default;
};

/// A cast from `from` to the register's dtype.
struct CastOp {
  DType from;
  bool operator==(const CastOp&) const = default;
};
using ScalarOp = std::variant<ir::UnaryKind, ir::BinaryKind, ir::TernaryKind, CastOp>;

/// dst := op(operands), lane by lane. Numbers and parameters are converted to the compute type (f32 for half types).
struct Compute {
  RegisterId dst;
  ScalarOp op;
  DType operandType;  ///< dtype of the register operands (for where: of its two values)
  std::vector<Operand> operands;
};

/// dst[lane] := conditions[lane] ? whenTrue[lane] : whenFalse[lane]; one condition for all lanes or one for each.
/// Moves bits. Numbers become elements of dst's dtype.
struct SelectLanes {
  RegisterId dst;
  std::vector<IndexExpr> conditions;
  Operand whenTrue, whenFalse;
};

/// dst[lane] := start + step * positions[lane], as `iota` defines it; one position for all lanes or one for each.
struct FromIndex {
  RegisterId dst;
  std::vector<IndexExpr> positions;
  ir::Scalar start, step;
};

/// dst := value as an element of dst's dtype, in every lane.
struct Fill {
  RegisterId dst;
  Operand value;  ///< a number or a parameter
};

/// `width` consecutive elements from lane firstLane of `src` (or its one lane, repeated), as for Load.
struct Store {
  TensorId tensor;
  IndexExpr offset;
  int width = 1;
  RegisterId src;
  int firstLane = 0;
  IndexExpr predicate;  ///< invalid: always
  CacheHint cache = CacheHint::Stream;
};

struct Statement;

/// for variable in 0 … extent-1.
struct Loop {
  IndexExpr variable;
  IndexExpr extent;
  bool unroll = false;
  std::vector<Statement> body;
};

/// The body runs where the condition holds.
struct Guard {
  IndexExpr condition;
  std::vector<Statement> body;
};

using StatementNode = std::variant<LetIndex, Load, Compute, SelectLanes, FromIndex, Fill, Store, Loop, Guard>;

struct Statement {
  StatementNode node;
  std::string comment;  ///< the line of the fusion it comes from, with the user's source line where known
};

/// What one range of blocks computes. Blocks of a part are consecutive; its threads are numbered through.
struct Part {
  std::string name;
  IndexExpr thread;   ///< symbol: this thread's number in the part, 0 <= thread < threads
  IndexExpr threads;  ///< how many threads have work; 0 launches nothing
  std::vector<Statement> body;
};

/// Arguments of the launch, in this order: tensor pointers, scalar parameters, symbols (int32 or int64 by index width),
/// one {divisor, multiplier, shift} for each divisor, and the end of each part's block range but the last (u32).
struct Kernel {
  std::string name;
  std::shared_ptr<index::IndexArena> arena;
  std::vector<TensorParam> tensors;
  std::vector<ScalarParam> parameters;
  std::vector<std::string> symbols;  ///< extents and strides that index expressions mention
  std::vector<IndexExpr> divisors;   ///< every non-constant divisor of a // or %, each once; over `symbols` only
  std::vector<Register> registers;
  std::vector<Part> parts;
  int blockThreads = 128;
  std::vector<std::string> header;  ///< comment lines: fusion text, schedule, facts
  /// codegen::fingerprintOf of the finished kernel, under which executors keep what they compiled; empty: spell the
  /// text at every launch. Whoever changes a kernel clears it.
  std::string fingerprint;

  const Register& reg(RegisterId id) const { return registers[id.value]; }
  const TensorParam& tensor(TensorId id) const { return tensors[id.value]; }
};

/// Readable text, for tests and reports.
std::string print(const Kernel& kernel);
/// The same of one statement, without those inside it: `store.stream q[q_at + 8] = r[0:8]`.
std::string print(const Kernel& kernel, const Statement& statement);

/// Structural rules: ids in range, single assignment, defined before use (loops and guards included), lane counts and
/// dtypes fit, access widths are powers of two up to 16 bytes, every symbol is a parameter or let-bound, divisors
/// listed. Throws Error(Internal).
void verify(const Kernel& kernel);

/// Calls visit(statement) for every statement, outer before inner.
void forEachStatement(const std::vector<Statement>& body, const std::function<void(const Statement&)>& visit);

/// 32-bit index arithmetic suffices when every intermediate value of every index expression does.
enum class IndexWidth : uint8_t { Bits32, Bits64 };

}  // namespace braid::device_lower
