// Calls each kernel of the SDK with each element type and prints which of them it takes:
// core/ops/data/kernel_types.txt. With a second argument it compares with that file instead. Each call runs in a child
// process, because a kernel may abort.
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/runtime.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "call_text.h"
#include "ops/schema.h"
#include "ops/schema_parser.h"

namespace exportdeck::probe {

namespace {

namespace et = executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;

constexpr unsigned kSecondsPerCall = 1;

struct Element {
  const char* name;
  ScalarType type;
  size_t size;
};
constexpr Element kElements[] = {
    {"bool", ScalarType::Bool, 1},  {"u8", ScalarType::Byte, 1},       {"i8", ScalarType::Char, 1},
    {"i16", ScalarType::Short, 2},  {"i32", ScalarType::Int, 4},       {"i64", ScalarType::Long, 8},
    {"f16", ScalarType::Half, 2},   {"bf16", ScalarType::BFloat16, 2}, {"f32", ScalarType::Float, 4},
    {"f64", ScalarType::Double, 8},
};

const Element& elementNamed(const std::string& name) {
  for (const Element& element : kElements) {
    if (name == element.name) return element;
  }
  throw std::runtime_error(concat("no element type ", name));
}

// The bytes of the number one.
std::vector<uint8_t> one(const Element& element) {
  std::vector<uint8_t> bytes(element.size);
  switch (element.type) {
    case ScalarType::Half:
      bytes[1] = 0x3c;
      break;
    case ScalarType::BFloat16:
      bytes[1] = 0x3f;
      bytes[0] = 0x80;
      break;
    case ScalarType::Float:
      bytes[3] = 0x3f;
      bytes[2] = 0x80;
      break;
    case ScalarType::Double:
      bytes[7] = 0x3f;
      bytes[6] = 0xf0;
      break;
    default:
      bytes[0] = 1;
      break;
  }
  return bytes;
}

// Arguments of one call with all that they point to.
class Stack {
 public:
  explicit Stack(const Element& tried) : tried_(tried) {}

  void push(const ArgumentSpec& spec) {
    values_.push_back(std::visit([this](const auto& value) { return make(value); }, spec));
    addresses_.push_back(&values_.back());
  }
  void pushFirst() { addresses_.push_back(addresses_.front()); }
  // What the kernel returns: the one result, or the list of all.
  void pushReturned(size_t results) {
    if (results == 1) {
      addresses_.push_back(addresses_.back());
      return;
    }
    values_.push_back(list({addresses_.end() - static_cast<std::ptrdiff_t>(results), addresses_.end()}));
    addresses_.push_back(&values_.back());
  }
  et::Span<et::EValue*> span() { return {addresses_.data(), addresses_.size()}; }

 private:
  et::EValue make(Absent) { return {}; }
  et::EValue make(bool flag) { return flag; }
  et::EValue make(int64_t number) { return number; }
  et::EValue make(double number) { return number; }
  et::EValue make(const DTypeSpec& dtype) { return static_cast<int64_t>(elementOf(dtype.type).type); }
  et::EValue make(const std::string& text) {
    texts_.push_back(text);
    characters_.emplace_back(texts_.back().data(), texts_.back().size());
    return &characters_.back();
  }
  et::EValue make(const std::vector<int64_t>& numbers) {
    std::vector<et::EValue*>& wrapped = pointers_.emplace_back();
    for (const int64_t number : numbers) {
      values_.emplace_back(number);
      wrapped.push_back(&values_.back());
    }
    std::vector<int64_t>& plain = plainInts_.emplace_back(numbers.size());
    intLists_.emplace_back(wrapped.data(), plain.data(), static_cast<int>(numbers.size()));
    return &intLists_.back();
  }
  et::EValue make(const std::vector<double>& numbers) {
    plainDoubles_.push_back(numbers);
    doubleLists_.emplace_back(plainDoubles_.back().data(), numbers.size());
    return &doubleLists_.back();
  }
  et::EValue make(const TensorSpec& spec) { return tensor(spec); }
  // Lists of optional tensors (indices) read the same memory as lists of tensors where all are there.
  et::EValue make(const TensorListSpec& spec) {
    std::vector<et::EValue*> wrapped;
    for (const TensorSpec& item : spec.items) {
      values_.push_back(tensor(item));
      wrapped.push_back(&values_.back());
    }
    return optionalLists_ ? optionalList(std::move(wrapped)) : list(std::move(wrapped));
  }

  et::EValue list(std::vector<et::EValue*> items) {
    std::vector<et::EValue*>& wrapped = pointers_.emplace_back(std::move(items));
    auto plain = std::make_unique<std::vector<Tensor>>();
    for (et::EValue* item : wrapped) plain->push_back(item->toTensor());
    plainTensors_.push_back(std::move(plain));
    tensorLists_.emplace_back(wrapped.data(), plainTensors_.back()->data(), static_cast<int>(wrapped.size()));
    return &tensorLists_.back();
  }
  et::EValue optionalList(std::vector<et::EValue*> items) {
    std::vector<et::EValue*>& wrapped = pointers_.emplace_back(std::move(items));
    plainOptionals_.push_back(std::make_unique<std::vector<std::optional<Tensor>>>(wrapped.size()));
    optionalTensorLists_.emplace_back(wrapped.data(), plainOptionals_.back()->data(), static_cast<int>(wrapped.size()));
    return &optionalTensorLists_.back();
  }

  const Element& elementOf(const std::string& type) const { return type == "A" ? tried_ : elementNamed(type); }

  Tensor tensor(const TensorSpec& spec) {
    struct Storage {
      std::vector<int32_t> sizes, strides;
      std::vector<uint8_t> order, data;
    };
    const Element& element = elementOf(spec.type);
    auto storage = std::make_shared<Storage>();
    storage->sizes = spec.sizes;
    storage->strides.resize(spec.sizes.size());
    int32_t count = 1;
    for (size_t i = spec.sizes.size(); i-- > 0;) {
      storage->strides[i] = count;
      count *= spec.sizes[i];
    }
    for (size_t i = 0; i < spec.sizes.size(); ++i) storage->order.push_back(static_cast<uint8_t>(i));
    const std::vector<uint8_t> value = one(element);
    for (int32_t i = 0; i < count; ++i) storage->data.insert(storage->data.end(), value.begin(), value.end());
    auto tensor =
        std::make_shared<TensorImpl>(element.type, static_cast<ssize_t>(spec.sizes.size()), storage->sizes.data(),
                                     storage->data.data(), storage->order.data(), storage->strides.data());
    kept_.push_back(storage);
    kept_.push_back(tensor);
    return Tensor(tensor.get());
  }

 public:
  void takeOptionalLists(bool optional) { optionalLists_ = optional; }

 private:
  const Element& tried_;
  bool optionalLists_ = false;
  std::deque<et::EValue> values_;
  std::vector<et::EValue*> addresses_;
  std::deque<std::string> texts_;
  std::deque<executorch::aten::ArrayRef<char>> characters_;
  std::deque<std::vector<et::EValue*>> pointers_;
  std::deque<std::vector<int64_t>> plainInts_;
  std::deque<et::BoxedEvalueList<int64_t>> intLists_;
  std::deque<std::vector<double>> plainDoubles_;
  std::deque<executorch::aten::ArrayRef<double>> doubleLists_;
  std::deque<std::unique_ptr<std::vector<Tensor>>> plainTensors_;
  std::deque<et::BoxedEvalueList<Tensor>> tensorLists_;
  std::deque<std::unique_ptr<std::vector<std::optional<Tensor>>>> plainOptionals_;
  std::deque<et::BoxedEvalueList<std::optional<Tensor>>> optionalTensorLists_;
  std::vector<std::shared_ptr<void>> kept_;
};

bool callOnce(const CallSpec& call, const ops::KernelInfo& kernel, const Element& tried) {
  const auto function = et::get_op_function_from_registry(call.kernel.c_str());
  if (!function.ok()) return false;
  // Never destroyed: the child ends after the call, and values would also destroy the lists that they point to.
  Stack& stack = *new Stack(tried);
  size_t position = 0;
  for (const ops::ArgSchema& arg : kernel.schema->args) {
    if (kernel.isOut(arg.name)) continue;
    stack.takeOptionalLists(arg.kind == ops::ArgKind::OptionalTensorList);
    stack.push(call.arguments.at(position++));
  }
  stack.takeOptionalLists(false);
  if (kernel.schema->isInPlace) {
    stack.pushFirst();
  } else {
    for (const ArgumentSpec& result : call.results) stack.push(result);
    stack.pushReturned(call.results.size());
  }
  executorch::extension::MallocMemoryAllocator temporary;
  et::KernelRuntimeContext context(nullptr, &temporary);
  (*function)(context, stack.span());
  return context.failure_state() == et::Error::Ok;
}

bool runs(const CallSpec& call, const ops::KernelInfo& kernel, const Element& tried) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    alarm(kSecondsPerCall);  // some kernels never end on a type that they do not take
    _exit(callOnce(call, kernel, tried) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    std::cerr << call.kernel << " does not end for " << tried.name << '\n';
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const TensorSpec* tensorIn(const ArgumentSpec& spec) {
  if (const auto* list = std::get_if<TensorListSpec>(&spec)) return &list->items.front();
  return std::get_if<TensorSpec>(&spec);
}

// "self:A other:A -> A"
std::string signatureOf(const CallSpec& call, const ops::KernelInfo& kernel) {
  std::vector<std::string> words;
  size_t position = 0;
  for (const ops::ArgSchema& arg : kernel.schema->args) {
    if (kernel.isOut(arg.name)) continue;
    if (position == call.arguments.size()) throw std::runtime_error(concat(call.kernel, " has more arguments"));
    if (const TensorSpec* tensor = tensorIn(call.arguments[position++]))
      words.push_back(concat(arg.name, ":", tensor->type));
  }
  if (position != call.arguments.size()) throw std::runtime_error(concat(call.kernel, " has fewer arguments"));
  words.emplace_back("->");
  for (const ArgumentSpec& result : call.results) words.push_back(tensorIn(result)->type);
  return join(words, " ");
}

// The line of the table, or "" where the kernel takes no type.
std::string tableLine(const CallSpec& call) {
  const ops::KernelInfo* kernel = ops::kernelFor(ops::operatorName(call.kernel));
  if (!kernel) throw std::runtime_error(concat("no kernel ", call.kernel));
  const std::string signature = signatureOf(call, *kernel);
  const bool varies = concat(" ", signature, " ").find("A ") != std::string::npos;
  std::vector<std::string> accepted;
  for (const Element& element : kElements) {
    const auto& wrong = call.computedWrong;
    if (std::find(wrong.begin(), wrong.end(), element.name) != wrong.end()) continue;
    if (runs(call, *kernel, element)) accepted.emplace_back(element.name);
  }
  if (accepted.empty()) return {};
  return concat(call.kernel, "\t", signature, "\t", varies ? join(accepted, " ") : std::string(), "\n");
}

std::string readFile(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(concat("cannot read ", path));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string makeTable(const char* calls) {
  std::vector<std::string> lines;
  for (const std::string& line : split(readFile(calls), '\n')) {
    for (const CallSpec& call : parseCalls(line)) lines.push_back(tableLine(call));
  }
  std::sort(lines.begin(), lines.end());
  return concat(
      "# Element types that kernels of executorch 1.5.1 take: kernel, operands -> results, what A may be; written by "
      "tests/probe\n",
      join(lines, ""));
}

}  // namespace

}  // namespace exportdeck::probe

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: probe_kernels KERNEL_CALLS [TABLE_TO_COMPARE]\n";
    return 2;
  }
  try {
    executorch::runtime::runtime_init();
    const std::string table = exportdeck::probe::makeTable(argv[1]);
    if (argc == 2) {
      std::cout << table;
      return 0;
    }
    if (table == exportdeck::probe::readFile(argv[2])) return 0;
    std::cerr << "the kernels take other element types than the table says; they take:\n" << table;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
