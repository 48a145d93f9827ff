#pragma once
// Runs one block of a kernel at a time, all of its threads in lock step, and checks what they do.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evaluator/scalar_ops.h"
#include "runtime/host_index.h"
#include "runtime/host_program.h"
#include "runtime/kernel_executor.h"

namespace braid::runtime {

/// A tensor argument as the checks need it.
struct HostTensor {
  const device_lower::TensorParam* param = nullptr;
  std::byte* data = nullptr;
  int64_t elements = 0;          ///< that may be touched: the tensor's span, and no more than the bytes given
  std::vector<uint8_t> written;  ///< of an output: 1 for each element of the span that was stored
};

class HostBlock {
 public:
  /// `tensors` outlives the block; stores mark what they write there.
  HostBlock(const HostProgram& program, const LaunchPlan& plan, std::vector<HostTensor>& tensors,
            std::span<const ir::Scalar> parameters);

  /// `number` counts the part's blocks, `firstBlock` is where they begin in the grid. Throws Error(CheckFailed).
  void run(size_t part, int64_t number, int64_t firstBlock);

 private:
  struct RegisterFile {
    int lanes = 1;
    int64_t elementBytes = 1;
    std::vector<std::byte> data;   ///< of each thread all lanes, one after the other
    std::vector<uint8_t> defined;  ///< of each lane a ThreadMask
  };
  /// Elements of one operand: those of thread t begin at data + t * threadStride.
  struct Elements {
    const std::byte* data;
    int64_t threadStride, laneStride;
  };

  void runBody(const std::vector<HostStatement>& body, const ThreadMask& active);
  void runSteps(const HostStatement& statement, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::LetIndex& let, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::Load& load, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::Compute& compute, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::SelectLanes& select, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::FromIndex& from, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::Fill& fill, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::Store& store, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::Loop& loop, const ThreadMask& active);
  void runNode(const HostStatement& statement, const device_lower::Guard& guard, const ThreadMask& active);

  template <int64_t Bytes>
  void loadAll(const HostStatement& statement, const device_lower::Load& load, const ThreadMask& active);
  template <int64_t Bytes>
  void storeAll(const HostStatement& statement, const device_lower::Store& store, const ThreadMask& active);
  void checkAccess(const HostStatement& statement, const HostTensor& tensor, int64_t offset, int width, int thread,
                   const char* verb) const;

  /// Throws unless every active thread has written these lanes.
  void checkDefined(const HostStatement& statement, device_lower::RegisterId id, int firstLane, int lanes,
                    const ThreadMask& active) const;
  void define(device_lower::RegisterId id, int firstLane, int lanes, const ThreadMask& active);
  evaluator::ScalarOperand scalarOperand(const HostStatement& statement, const device_lower::Operand& operand,
                                         int lanes, size_t scratch, const ThreadMask& active);
  Elements elements(const HostStatement& statement, const device_lower::Operand& operand, DType dtype, size_t scratch,
                    const ThreadMask& active);
  ir::Scalar numberOf(const device_lower::Operand& operand) const;

  [[noreturn]] void fail(const HostStatement& statement, int thread, const std::string& what) const;

  const HostProgram& program_;
  const device_lower::Kernel& kernel_;
  std::vector<HostTensor>& tensors_;
  std::vector<ir::Scalar> parameters_;  ///< rounded to their dtypes
  std::vector<int64_t> partThreads_;
  int threads_;
  IndexValues index_;
  std::vector<RegisterFile> registers_;
  std::array<std::vector<std::byte>, 4> scratch_;
  size_t part_ = 0;  // what runs now, for messages
  int64_t block_ = 0;
};

}  // namespace braid::runtime
