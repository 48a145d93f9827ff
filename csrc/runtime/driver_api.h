#pragma once
// The CUDA driver, opened at run time. Our own prototypes of the few functions that Braid and its benchmarks call, so
// that the build needs no toolkit; all are there, with these signatures, since CUDA 12.0.

#include <cstddef>
#include <cstdint>
#include <string>

namespace braid::runtime::cuda {

using Result = int;
using Device = int;
using DevicePtr = unsigned long long;
struct ContextTag;
struct ModuleTag;
struct FunctionTag;
struct StreamTag;
struct EventTag;
struct GraphTag;
struct GraphExecTag;
using Context = ContextTag*;
using Module = ModuleTag*;
using Function = FunctionTag*;
using Stream = StreamTag*;
using Event = EventTag*;
using Graph = GraphTag*;
using GraphExec = GraphExecTag*;

// Results that Braid tells apart.
inline constexpr Result kSuccess = 0;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kInvalidImage = 200;
inline constexpr Result kNoBinaryForGpu = 209;
inline constexpr Result kUnsupportedPtxVersion = 222;

enum class DeviceAttribute : int {
  MultiprocessorCount = 16,
  ClockRateKHz = 13,
  L2CacheBytes = 38,
  MemoryClockRateKHz = 36,
  MemoryBusWidthBits = 37,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
};

enum class FunctionAttribute : int { SharedBytes = 1, LocalBytes = 3, Registers = 4 };

/// CU_STREAM_CAPTURE_MODE_*.
enum class CaptureMode : int { Global = 0, ThreadLocal = 1, Relaxed = 2 };

inline constexpr unsigned kStreamNonBlocking = 1;

// One row a function: member, symbol in libcuda, parameters.
// clang-format off
#define BRAID_CUDA_DRIVER_FUNCTIONS(X)                                                                       \
  X(init, "cuInit", (unsigned flags))                                                                        \
  X(driverGetVersion, "cuDriverGetVersion", (int* version))                                                  \
  X(getErrorName, "cuGetErrorName", (Result error, const char** name))                                       \
  X(getErrorString, "cuGetErrorString", (Result error, const char** text))                                   \
  X(deviceGetCount, "cuDeviceGetCount", (int* count))                                                        \
  X(deviceGet, "cuDeviceGet", (Device* device, int ordinal))                                                 \
  X(deviceGetName, "cuDeviceGetName", (char* name, int length, Device device))                               \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int* value, DeviceAttribute attribute, Device device))      \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t* bytes, Device device))                                   \
  X(devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context* context, Device device))                   \
  X(devicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (Device device))                                \
  X(ctxGetCurrent, "cuCtxGetCurrent", (Context* context))                                                    \
  X(ctxGetDevice, "cuCtxGetDevice", (Device* device))                                                        \
  X(ctxGetId, "cuCtxGetId", (Context context, unsigned long long* id))                                       \
  X(ctxPushCurrent, "cuCtxPushCurrent_v2", (Context context))                                                \
  X(ctxPopCurrent, "cuCtxPopCurrent_v2", (Context* context))                                                 \
  X(moduleLoadData, "cuModuleLoadData", (Module* module, const void* image))                                 \
  X(moduleUnload, "cuModuleUnload", (Module module))                                                         \
  X(moduleGetFunction, "cuModuleGetFunction", (Function* function, Module module, const char* name))         \
  X(funcGetAttribute, "cuFuncGetAttribute", (int* value, FunctionAttribute attribute, Function function))    \
  X(launchKernel, "cuLaunchKernel",                                                                          \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,    \
     unsigned blockZ, unsigned sharedBytes, Stream stream, void** parameters, void** extra))                 \
  X(memAlloc, "cuMemAlloc_v2", (DevicePtr* pointer, size_t bytes))                                           \
  X(memFree, "cuMemFree_v2", (DevicePtr pointer))                                                            \
  X(memGetInfo, "cuMemGetInfo_v2", (size_t* freeBytes, size_t* totalBytes))                                  \
  X(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (DevicePtr target, const void* source, size_t bytes, Stream s)) \
  X(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void* target, DevicePtr source, size_t bytes, Stream stream))  \
  X(memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (DevicePtr target, DevicePtr source, size_t bytes, Stream s))   \
  X(memsetD8Async, "cuMemsetD8Async", (DevicePtr target, unsigned char value, size_t bytes, Stream stream))  \
  X(streamCreate, "cuStreamCreate", (Stream* stream, unsigned flags))                                        \
  X(streamDestroy, "cuStreamDestroy_v2", (Stream stream))                                                    \
  X(streamSynchronize, "cuStreamSynchronize", (Stream stream))                                               \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", (Stream stream, CaptureMode mode))                        \
  X(streamEndCapture, "cuStreamEndCapture", (Stream stream, Graph* graph))                                   \
  X(streamIsCapturing, "cuStreamIsCapturing", (Stream stream, int* status))                                  \
  X(threadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (CaptureMode* mode))               \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                                                         \
    (GraphExec* executable, Graph graph, unsigned long long flags))                                          \
  X(graphLaunch, "cuGraphLaunch", (GraphExec executable, Stream stream))                                     \
  X(graphExecDestroy, "cuGraphExecDestroy", (GraphExec executable))                                          \
  X(graphDestroy, "cuGraphDestroy", (Graph graph))                                                           \
  X(eventCreate, "cuEventCreate", (Event* event, unsigned flags))                                            \
  X(eventDestroy, "cuEventDestroy_v2", (Event event))                                                        \
  X(eventRecord, "cuEventRecord", (Event event, Stream stream))                                              \
  X(eventSynchronize, "cuEventSynchronize", (Event event))                                                   \
  X(eventElapsedTime, "cuEventElapsedTime", (float* milliseconds, Event begin, Event end))
// clang-format on

/// The functions of the driver, each under its name without "cu".
struct Driver {
#define BRAID_CUDA_MEMBER(member, symbol, parameters) Result(*member) parameters = nullptr;
  BRAID_CUDA_DRIVER_FUNCTIONS(BRAID_CUDA_MEMBER)
#undef BRAID_CUDA_MEMBER
};

/// The driver, opened and initialised at the first call, which creates no context; null without one, and in `reason`
/// why.
const Driver* findDriver(std::string* reason = nullptr);
/// The same; throws Error(Unavailable) without one.
const Driver& driver();

/// Throws Error(Cuda) with the driver's name and text of the result unless it is success.
void check(Result result, const char* what);
/// "CUDA_ERROR_INVALID_VALUE (invalid argument)"
std::string describe(Result result);

/// Names under which the loader is asked for the driver.
inline constexpr const char* kDriverLibraries[] = {"libcuda.so.1", "libcuda.so"};

}  // namespace braid::runtime::cuda
