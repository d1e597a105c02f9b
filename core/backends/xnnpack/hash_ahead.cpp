#include "backends/xnnpack/hash_ahead.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace exportdeck::backends::xnnpack {

namespace {

constexpr uint64_t kWorthwhile = 64 << 10;  // bytes below which a thread gains nothing

}  // namespace

void hashAhead(const ir::Graph& graph, const Context& context) {
  std::vector<ir::ConstantPtr> large;
  for (const ir::Value* value : graph.constants()) {
    if (value->constant()->data->size() >= kWorthwhile) large.push_back(value->constant());
  }
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (size_t i = next++; i < large.size() && !context.stop.stop_requested(); i = next++) {
      try {
        large[i]->data->identity();
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = std::current_exception();
        next = large.size();
      }
    }
  };
  const size_t helpers = std::min<size_t>(large.size(), std::max(1u, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
  context.throwIfStopped();
}

}  // namespace exportdeck::backends::xnnpack
