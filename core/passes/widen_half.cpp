#include "passes/widen_half.h"

#include <numeric>
#include <unordered_map>

#include "ops/kernel_types.h"
#include "passes/kernel_call.h"

namespace exportdeck::passes {

namespace {

bool isHalf(ir::DType dtype) {
  return dtype == ir::DType::Float16 || dtype == ir::DType::BFloat16;
}
bool isHalf(const ir::Value* value) {
  return value && value->isTensor() && isHalf(value->type().dtype);
}

bool helps(const ir::Node& call, const ops::KernelInfo& kernel) {
  ops::CallTypes types = callTypes(call);
  if (ops::kernelTakes(kernel, types)) return false;
  for (auto& operand : types.operands) {
    if (isHalf(operand.dtype)) operand.dtype = ir::DType::Float32;
  }
  for (ir::DType& result : types.results) {
    if (isHalf(result)) result = ir::DType::Float32;
  }
  return ops::kernelTakes(kernel, types);
}

class Widener {
 public:
  Widener(ir::Node& call, ir::Node* next, ConstantPool& pool)
      : call_(call), next_(next), graph_(call.graph()), pool_(pool) {}

  void run() {
    for (size_t i = 0; i < call_.argCount(); ++i) call_.setArg(i, widened(call_.args()[i]));
    for (ir::Value* result : call_.outputs()) {
      if (isHalf(result)) narrow(result);
    }
  }

 private:
  ir::Argument widened(ir::Argument argument) {
    if (auto* value = std::get_if<ir::Value*>(&argument)) *value = widened(*value);
    if (auto* values = std::get_if<ir::ValueList>(&argument)) {
      for (ir::Value*& item : *values) item = widened(item);
    }
    if (auto* dtype = std::get_if<ir::DType>(&argument)) {
      if (isHalf(*dtype)) *dtype = ir::DType::Float32;
    }
    return argument;
  }

  ir::Value* widened(ir::Value* value) {
    if (!isHalf(value)) return value;
    ir::Value*& wide = wide_[value];
    if (!wide) {
      wide = value->isConstant() ? Builder(graph_, call_, pool_).cast(value, ir::DType::Float32)
                                 : copy(value, ir::DType::Float32, &call_);
    }
    return wide;
  }

  // The result is computed in 32 bits; what read it reads a copy in its own type.
  void narrow(ir::Value* result) {
    const ir::DType dtype = result->type().dtype;
    ir::TensorType wide = result->type();
    wide.dtype = ir::DType::Float32;
    result->setType(wide);
    if (graph_.isUnused(result)) return;
    // The copy reads the result too, so it gets its operand after the other readers were turned over.
    ir::Value* copied = copy(result, dtype, next_);
    graph_.replaceAllUses(result, copied);
    copied->producer()->setArg(0, result);
  }

  ir::Value* copy(ir::Value* value, ir::DType dtype, ir::Node* before) {
    ir::Sizes order(value->type().rank());
    std::iota(order.begin(), order.end(), 0);
    ir::TensorType type = value->type();
    type.dtype = dtype;
    type.strides.clear();
    return graph_
        .addNode("dim_order_ops._to_dim_order_copy.out", {value, false, ir::IntList(order.begin(), order.end())},
                 {std::move(type)}, call_.originPtr(), before, value->name())
        ->output();
  }

  ir::Node& call_;
  ir::Node* next_;
  ir::Graph& graph_;
  ConstantPool& pool_;
  std::unordered_map<ir::Value*, ir::Value*> wide_;
};

}  // namespace

void widenHalf(ir::Node& call, ir::Node* next, ConstantPool& pool) {
  const ops::KernelInfo* kernel = ops::kernelFor(call.op());
  if (kernel && helps(call, *kernel)) Widener(call, next, pool).run();
}

}  // namespace exportdeck::passes
