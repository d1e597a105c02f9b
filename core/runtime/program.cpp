// The ExecuTorch C++ runtime behind LoadedProgram.
#include "runtime/program.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/module/module.h>
#include <executorch/extension/tensor/tensor.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <numeric>

#include "base/diagnostic.h"
#include "base/text.h"
#include "runtime/dtype.h"
#include "runtime/layout.h"
#include "runtime/runtime_error.h"
#include "runtime/runtime_log.h"

namespace exportdeck::runtime {

namespace {

using executorch::extension::Module;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::MethodMeta;
using executorch::runtime::Result;
using executorch::runtime::Tag;
using executorch::runtime::TensorInfo;

// A Result's value; the SDK aborts the process when the value of a failed one is taken.
template <typename Value>
Value need(Result<Value> result, const std::string& what) {
  if (!result.ok()) throwRuntimeError(what, static_cast<uint32_t>(result.error()));
  return std::move(*result);
}

const Element& elementOf(executorch::aten::ScalarType type) {
  const Element* element = runtime::elementOf(static_cast<int>(type));
  if (element == nullptr) {
    throw ExportError(Code::VerifyLoadFailed,
                      concat("the program uses a tensor of the unknown dtype number ", static_cast<int>(type)),
                      {"export the program again with the version of ExecuTorch that runs it"});
  }
  return *element;
}

const char* kindOf(Tag tag) {
  switch (tag) {
    case Tag::Tensor:
      return "tensor";
    case Tag::Int:
      return "int";
    case Tag::Double:
      return "float";
    case Tag::Bool:
      return "bool";
    case Tag::String:
      return "string";
    case Tag::None:
      return "none";
    default:
      return "list";
  }
}

HostTensor copyTensor(const executorch::aten::Tensor& tensor) {
  const Element& element = elementOf(tensor.scalar_type());
  HostTensor copy{element.name, {tensor.sizes().begin(), tensor.sizes().end()}, {}};
  const std::vector<uint8_t> order(tensor.dim_order().begin(), tensor.dim_order().end());
  const std::span bytes(static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes());
  copy.bytes = toRowMajor(bytes, copy.sizes, order, element.size);
  return copy;
}

HostValue copyValue(const EValue& value) {
  if (value.isTensor()) return copyTensor(value.toTensor());
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return value.toDouble();
  if (value.isBool()) return value.toBool();
  if (value.isString()) return std::string(value.toString());
  return std::monostate{};
}

std::string shapeText(const std::string& dtype, const std::vector<int64_t>& sizes) {
  return concat(dtype, "[", join(sizes, ","), "]");
}

// Arguments of one call, and what they refer to.
class CallArguments {
 public:
  void add(const HostValue& value, const SlotInfo& slot, const std::vector<uint8_t>& order, size_t index);
  const std::vector<EValue>& values() const { return values_; }
  std::vector<HostValue> copies() const;

 private:
  void addTensor(const HostTensor& tensor, const SlotInfo& slot, const std::vector<uint8_t>& order, size_t index);
  // Deques: what they hold must stay where it is.
  std::deque<Bytes> bytes_;
  std::deque<executorch::extension::TensorPtr> tensors_;
  std::deque<std::string> texts_;
  std::deque<executorch::aten::ArrayRef<char>> references_;
  std::vector<EValue> values_;
};

[[noreturn]] void misfit(size_t index, const std::string& given, const std::string& taken) {
  throw ExportError(Code::CaseInvalid, concat("input ", index, " is ", given, " but the program takes ", taken),
                    {"give inputs of the kinds, dtypes and shapes that `exportdeck inspect` shows"});
}

void CallArguments::addTensor(const HostTensor& tensor, const SlotInfo& slot, const std::vector<uint8_t>& order,
                              size_t index) {
  const auto within = [](int64_t size, int64_t bound) { return size >= 0 && size <= bound; };
  const bool fits = tensor.dtype == slot.dtype && tensor.sizes.size() == slot.sizes.size() &&
                    std::equal(tensor.sizes.begin(), tensor.sizes.end(), slot.sizes.begin(), within);
  if (!fits) misfit(index, shapeText(tensor.dtype, tensor.sizes), shapeText(slot.dtype, slot.sizes));
  const Element& element = *elementNamed(tensor.dtype);
  uint64_t size = element.size;
  for (const int64_t dimension : tensor.sizes) size *= static_cast<uint64_t>(dimension);
  if (tensor.bytes.size() != size) misfit(index, concat(tensor.bytes.size(), " bytes"), concat(size, " bytes"));
  Bytes& bytes = bytes_.emplace_back(fromRowMajor(tensor.bytes, tensor.sizes, order, element.size));
  if (bytes.empty()) bytes.resize(1);  // an empty tensor still needs an address
  const std::vector<executorch::aten::SizesType> sizes(tensor.sizes.begin(), tensor.sizes.end());
  const auto type = static_cast<executorch::aten::ScalarType>(element.scalarType);
  tensors_.push_back(
      executorch::extension::make_tensor_ptr(sizes, bytes.data(), {order.begin(), order.end()}, {}, type));
  values_.emplace_back(tensors_.back());
}

void CallArguments::add(const HostValue& value, const SlotInfo& slot, const std::vector<uint8_t>& order, size_t index) {
  static constexpr std::array kKinds{"none", "tensor", "int", "float", "bool", "string"};  // in the order of HostValue
  const std::string kind = kKinds[value.index()];
  if (kind != slot.kind) misfit(index, concat("of kind ", kind), concat("kind ", slot.kind));
  if (const auto* tensor = std::get_if<HostTensor>(&value)) {
    addTensor(*tensor, slot, order, index);
  } else if (const auto* integer = std::get_if<int64_t>(&value)) {
    values_.emplace_back(*integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    values_.emplace_back(*number);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    values_.emplace_back(*flag);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    const std::string& kept = texts_.emplace_back(*text);
    values_.emplace_back(&references_.emplace_back(kept.data(), kept.size()));
  } else {
    values_.emplace_back();
  }
}

std::vector<HostValue> CallArguments::copies() const {
  std::vector<HostValue> out;
  size_t text = 0;
  for (const EValue& value : values_) out.push_back(value.isString() ? HostValue(texts_[text++]) : copyValue(value));
  return out;
}

// A program that its methods have in common.
struct OpenProgram {
  std::string path;
  Bytes bytes;  // where it is no file
  std::unique_ptr<Module> module;
};

class ModuleProgram : public LoadedProgram {
 public:
  ModuleProgram(std::shared_ptr<OpenProgram> program, std::string method);
  std::unique_ptr<LoadedProgram> another(const std::string& method) const override {
    return std::make_unique<ModuleProgram>(program_, method);
  }
  const std::string& method() const override { return method_; }
  std::vector<SlotInfo> inputs() const override { return inputs_; }
  std::vector<SlotInfo> outputs() const override { return outputs_; }
  std::vector<std::string> backends() const override { return backends_; }
  uint64_t plannedBytes() const override { return plannedBytes_; }
  std::vector<HostValue> run(const std::vector<HostValue>& inputs, std::vector<HostValue>* after) override;

 private:
  void chooseMethod();
  void readMeta(const MethodMeta& meta);
  void readFixedInputs();
  void giveOutputsMemory(const MethodMeta& meta);
  std::shared_ptr<OpenProgram> program_;
  Module& module_;
  const std::string& path_;
  std::string method_;
  std::deque<Bytes> outputMemory_;  // of outputs that the program's own memory has no room for
  std::vector<SlotInfo> inputs_, outputs_;
  std::vector<std::vector<uint8_t>> inputOrders_;  // empty for inputs that are no tensors
  std::vector<std::string> backends_;
  uint64_t plannedBytes_ = 0;
};

SlotInfo slotOf(Tag tag, const Result<TensorInfo>& info) {
  SlotInfo slot{kindOf(tag), {}, {}, {}};
  if (tag != Tag::Tensor || !info.ok()) return slot;
  slot.dtype = elementOf(info->scalar_type()).name;
  slot.sizes.assign(info->sizes().begin(), info->sizes().end());
  return slot;
}

// Memory 1 is a method's own; more is what methods share (see pte/writer.h).
bool sharesMemory(Module& module, const std::string& path) {
  const std::string loading = concat("cannot load ", path);
  for (const std::string& name : need(module.method_names(), loading)) {
    if (need(module.method_meta(name), loading).num_memory_planned_buffers() > 1) return true;
  }
  return false;
}

void loadProgram(Module& module, const std::string& path) {
  const Error error = module.load(executorch::runtime::Program::Verification::InternalConsistency);
  if (error != Error::Ok) throwRuntimeError(concat("cannot load ", path), static_cast<uint32_t>(error));
}

// Loading a method fills its state, so all that share one are loaded before the first call.
void loadAllMethods(Module& module, const std::string& path) {
  for (const std::string& name : need(module.method_names(), concat("cannot load ", path))) {
    if (const Error error = module.load_method(name); error != Error::Ok) {
      throwRuntimeError(concat("cannot load the method ", name, " of ", path), static_cast<uint32_t>(error));
    }
  }
}

ModuleProgram::ModuleProgram(std::shared_ptr<OpenProgram> program, std::string method)
    : program_(std::move(program)), module_(*program_->module), path_(program_->path), method_(std::move(method)) {
  chooseMethod();
  const std::string loading = concat("cannot load ", path_);
  if (const Error error = module_.load_method(method_); error != Error::Ok) {
    throwRuntimeError(concat("cannot load the method ", method_, " of ", path_), static_cast<uint32_t>(error));
  }
  readMeta(need(module_.method_meta(method_), loading));
  readFixedInputs();
  giveOutputsMemory(need(module_.method_meta(method_), loading));
}

void ModuleProgram::chooseMethod() {
  const auto names = need(module_.method_names(), concat("cannot load ", path_));
  if (method_.empty()) method_ = names.size() == 1 ? *names.begin() : "forward";
  if (names.contains(method_)) return;
  std::vector<std::string> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  throw ExportError(Code::VerifyLoadFailed, concat(path_, " has no method ", method_, "; it has ", join(sorted, ", ")),
                    {"name one of them"});
}

// An output that is not planned has no memory before its caller gives it some. Constants count as planned.
void ModuleProgram::giveOutputsMemory(const MethodMeta& meta) {
  for (size_t i = 0; i < meta.num_outputs(); ++i) {
    const auto info = meta.output_tensor_meta(i);
    if (outputs_[i].kind != "tensor" || !info.ok() || info->is_memory_planned()) continue;
    Bytes& memory = outputMemory_.emplace_back(std::max<size_t>(info->nbytes(), 1));
    const std::vector<executorch::aten::SizesType> sizes(info->sizes().begin(), info->sizes().end());
    const auto tensor = executorch::extension::make_tensor_ptr(
        sizes, memory.data(), {info->dim_order().begin(), info->dim_order().end()}, {}, info->scalar_type());
    if (const Error error = module_.set_output(method_, tensor, i); error != Error::Ok) {
      throwRuntimeError(concat("output ", i, " of the method ", method_, " takes no memory"),
                        static_cast<uint32_t>(error));
    }
  }
  takeRuntimeErrors();  // asking for the tensor of an output that is none logs an error
}

void ModuleProgram::readMeta(const MethodMeta& meta) {
  const std::string reading = concat("cannot read what the method ", method_, " takes and returns");
  for (size_t i = 0; i < meta.num_inputs(); ++i) {
    const auto info = meta.input_tensor_meta(i);
    inputs_.push_back(slotOf(need(meta.input_tag(i), reading), info));
    std::vector<uint8_t> order;
    if (info.ok()) order.assign(info->dim_order().begin(), info->dim_order().end());
    inputOrders_.push_back(std::move(order));
  }
  for (size_t i = 0; i < meta.num_outputs(); ++i) {
    outputs_.push_back(slotOf(need(meta.output_tag(i), reading), meta.output_tensor_meta(i)));
  }
  for (size_t i = 0; i < meta.num_backends(); ++i) {
    const std::string name = need(meta.get_backend_name(i), reading);
    if (std::find(backends_.begin(), backends_.end(), name) == backends_.end()) backends_.push_back(name);
  }
  for (size_t i = 0; i < meta.num_memory_planned_buffers(); ++i) {
    plannedBytes_ += static_cast<uint64_t>(need(meta.memory_planned_buffer_size(i), reading));
  }
  takeRuntimeErrors();  // asking for the tensor of an input that is none logs an error
}

// The metadata tells the kinds of inputs but not their values, which only the deprecated accessors give.
void ModuleProgram::readFixedInputs() {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const auto* method = need(module_.method(method_), concat("cannot load the method ", method_, " of ", path_));
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].kind != "tensor") inputs_[i].fixed = copyValue(method->get_input(i));
  }
#pragma GCC diagnostic pop
}

std::vector<HostValue> ModuleProgram::run(const std::vector<HostValue>& inputs, std::vector<HostValue>* after) {
  if (inputs.size() != inputs_.size()) {
    throw ExportError(Code::CaseInvalid,
                      concat(inputs.size(), " inputs are given but the program takes ", inputs_.size()),
                      {"give inputs of the kinds, dtypes and shapes that `exportdeck inspect` shows"});
  }
  CallArguments arguments;
  for (size_t i = 0; i < inputs.size(); ++i) arguments.add(inputs[i], inputs_[i], inputOrders_[i], i);
  const auto results =
      need(module_.execute(method_, arguments.values()), concat("the method ", method_, " of ", path_, " failed"));
  std::vector<HostValue> outputs;
  for (const EValue& value : results) outputs.push_back(copyValue(value));
  if (after != nullptr) *after = arguments.copies();
  takeRuntimeErrors();
  return outputs;
}

void checkIsProgram(const std::string& path) {
  const auto file = InputFile::open(path);
  std::array<std::byte, 8> head{};
  if (file->size() >= head.size()) file->read(0, head);
  const std::string_view identifier(reinterpret_cast<const char*>(head.data()) + 4, 4);
  if (identifier == "ET12") return;
  throw ExportError(Code::ProgramInvalid, concat(path, " is not an ExecuTorch program: it does not start as one"),
                    {"give a .pte that exportdeck or ExecuTorch wrote"});
}

}  // namespace

std::string dataBeside(const std::string& program) {
  std::filesystem::path data(program);
  data.replace_extension(".ptd");
  std::error_code ignored;
  return std::filesystem::is_regular_file(data, ignored) ? data.string() : std::string();
}

std::unique_ptr<LoadedProgram> LoadedProgram::load(const std::string& path, const LoadRequest& request) {
  captureRuntimeLog();
  takeRuntimeErrors();
  checkIsProgram(path);
  if (!request.data.empty()) InputFile::open(request.data);
  std::vector<std::string> data;
  if (!request.data.empty()) data.push_back(request.data);
  const auto open = [&](bool shares) {
    auto module = std::make_unique<Module>(path, data, Module::LoadMode::Mmap, nullptr, nullptr, nullptr, shares);
    loadProgram(*module, path);
    return module;
  };
  auto program = std::make_shared<OpenProgram>(OpenProgram{path, {}, open(false)});
  if (sharesMemory(*program->module, path)) {
    program->module = open(true);
    loadAllMethods(*program->module, path);
  }
  return std::make_unique<ModuleProgram>(std::move(program), request.method);
}

std::unique_ptr<LoadedProgram> LoadedProgram::load(Bytes bytes, const LoadRequest& request) {
  captureRuntimeLog();
  takeRuntimeErrors();
  auto program = std::make_shared<OpenProgram>(OpenProgram{"the program in memory", std::move(bytes), nullptr});
  program->module = std::make_unique<Module>(
      std::make_unique<executorch::extension::BufferDataLoader>(program->bytes.data(), program->bytes.size()));
  loadProgram(*program->module, program->path);
  return std::make_unique<ModuleProgram>(std::move(program), request.method);
}

}  // namespace exportdeck::runtime
