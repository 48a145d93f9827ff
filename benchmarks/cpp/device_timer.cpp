#include "device_timer.h"

#include <algorithm>

namespace braid::bench {

using namespace runtime;
using cuda::check;
using cuda::driver;

namespace {

constexpr double kTargetMicroseconds = 2000;  // of one replay: the graph's own launch is a few microseconds

cuda::GraphExec capture(cuda::Stream stream, int64_t calls, int64_t sets,
                        const std::function<void(int64_t, cuda::Stream)>& body) {
  cuda::Graph graph = nullptr;
  cuda::GraphExec executable = nullptr;
  check(driver().streamBeginCapture(stream, cuda::CaptureMode::ThreadLocal), "cuStreamBeginCapture");
  for (int64_t i = 0; i < calls; ++i) body(i % sets, stream);
  check(driver().streamEndCapture(stream, &graph), "cuStreamEndCapture");
  check(driver().graphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
  check(driver().graphDestroy(graph), "cuGraphDestroy");
  return executable;
}

}  // namespace

DeviceTimer::DeviceTimer() {
  check(driver().streamCreate(&stream_, cuda::kStreamNonBlocking), "cuStreamCreate");
  check(driver().eventCreate(&begin_, 0), "cuEventCreate");
  check(driver().eventCreate(&end_, 0), "cuEventCreate");
}

DeviceTimer::~DeviceTimer() {
  driver().eventDestroy(begin_);
  driver().eventDestroy(end_);
  driver().streamDestroy(stream_);
}

Timing DeviceTimer::time(int64_t sets, const std::function<void(int64_t, cuda::Stream)>& body, int repeats) {
  for (int64_t set = 0; set < sets; ++set) body(set, stream_);
  check(driver().streamSynchronize(stream_), "cuStreamSynchronize");

  cuda::GraphExec trial = capture(stream_, sets, sets, body);
  replay(trial);
  const double each = replay(trial) / static_cast<double>(sets);
  check(driver().graphExecDestroy(trial), "cuGraphExecDestroy");

  const auto rounds = static_cast<int64_t>(kTargetMicroseconds / std::max(0.1, each * static_cast<double>(sets)));
  const int64_t calls = sets * std::clamp<int64_t>(rounds, 1, 4096 / sets + 1);
  cuda::GraphExec graph = capture(stream_, calls, sets, body);
  for (int i = 0; i < 3; ++i) replay(graph);
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(replay(graph) / static_cast<double>(calls));
  check(driver().graphExecDestroy(graph), "cuGraphExecDestroy");
  std::sort(samples.begin(), samples.end());
  return {samples[samples.size() / 2], samples.front(), samples.back()};
}

double DeviceTimer::replay(cuda::GraphExec graph) {
  check(driver().eventRecord(begin_, stream_), "cuEventRecord");
  check(driver().graphLaunch(graph, stream_), "cuGraphLaunch");
  check(driver().eventRecord(end_, stream_), "cuEventRecord");
  check(driver().eventSynchronize(end_), "cuEventSynchronize");
  float milliseconds = 0;
  check(driver().eventElapsedTime(&milliseconds, begin_, end_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1000.0;
}

}  // namespace braid::bench
