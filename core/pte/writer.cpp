#include "pte/writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "base/text.h"
#include "program_generated.h"
#include "pte/emitter.h"
#include "pte/piece_stream.h"
#include "pte/segments.h"
#include "pte/shared_states.h"
#include "pte/storage.h"
#include "pte/tensor_bounds.h"
#include "pte/value_table.h"

namespace exportdeck::pte {

namespace fb = executorch_flatbuffer;

namespace {

constexpr uint32_t kHeaderBytes = 32;
constexpr uint64_t kHeaderAt = 8;  // behind the root offset and the identifier

int inputEntry(const ir::GraphInput& input, ValueTable& values) {
  if (input.value == nullptr) return values.fresh(input.fixed);
  if (input.value->isTensor()) return values.of(input.value);
  Diagnostic diagnostic;
  diagnostic.code = Code::ShapeUnsupported;
  diagnostic.message = concat("The input ", input.name.empty() ? input.value->name() : input.name,
                              " is a number that changes between calls");
  diagnostic.why = "An ExecuTorch program accepts only the number that it was exported with";
  diagnostic.fixes = {"Pass it as a tensor of no dimensions, or export with the number fixed"};
  throw ExportError(std::move(diagnostic));
}

int outputEntry(const ir::Argument& output, ValueTable& values) {
  if (const auto* value = std::get_if<ir::Value*>(&output)) return values.of(*value);
  if (std::holds_alternative<ir::None>(output)) return values.null();
  if (const auto* flag = std::get_if<bool>(&output)) return values.boolean(*flag);
  if (const auto* integer = std::get_if<int64_t>(&output)) return values.integer(*integer);
  if (const auto* number = std::get_if<double>(&output)) return values.number(*number);
  if (const auto* text = std::get_if<std::string>(&output)) return values.text(*text);
  check(false, "an output is a value, a number, a bool, a text or None");
  return 0;
}

flatbuffers::Offset<fb::ExecutionPlan> buildPlan(flatbuffers::FlatBufferBuilder& builder, const Storage& storage,
                                                 const Segments& segments, const Context& context,
                                                 WrittenMethod& result) {
  const ir::Graph& graph = storage.graph();
  ValueTable values(builder, storage, segments, result.plan);
  Emitter emitter(builder, values, storage, segments);
  std::vector<int32_t> inputs, outputs;
  for (const ir::GraphInput& input : graph.inputs()) inputs.push_back(inputEntry(input, values));
  // Loading fills them by their entries, whether an instruction names them or not.
  for (const ir::Value* state : graph.states()) values.of(state);
  for (const ir::Node* node : storage.instructions()) {
    context.throwIfStopped();
    emitter.emit(*node);
  }
  for (const ir::Argument& output : graph.outputs()) outputs.push_back(outputEntry(output, values));
  result.instructions = emitter.instructionCount();
  result.kernels = emitter.kernelNames();

  // Memory 0 is reserved; 1 is the arena; 2 holds the states that methods share.
  std::vector<int64_t> arenas{0};
  const bool sharesStates = result.plan.sharedBytes > 0;
  if (!result.plan.buffers.empty()) arenas.push_back(static_cast<int64_t>(result.plan.arenaBytes));
  if (sharesStates) arenas.push_back(static_cast<int64_t>(result.plan.sharedBytes));
  const auto name = builder.CreateString(graph.name());
  const auto inputSpec = builder.CreateString(graph.containers.input);
  const auto outputSpec = builder.CreateString(graph.containers.output);
  const auto containers = fb::CreateContainerMetadata(builder, inputSpec, outputSpec);
  const auto valueVector = values.finish();
  const auto inputVector = builder.CreateVector(inputs);
  const auto outputVector = builder.CreateVector(outputs);
  const auto chains = builder.CreateVector(std::vector{emitter.finishChain()});
  const auto operators = emitter.finishOperators();
  const auto delegates = emitter.finishDelegates();
  const auto arenaVector = builder.CreateVector(arenas);
  return fb::CreateExecutionPlan(builder, name, containers, valueVector, inputVector, outputVector, chains, operators,
                                 delegates, arenaVector);
}

void buildProgram(flatbuffers::FlatBufferBuilder& builder,
                  const std::vector<flatbuffers::Offset<fb::ExecutionPlan>>& methods, const Segments& segments) {
  const auto plans = builder.CreateVector(methods);
  const auto constantBuffer = builder.CreateVector(std::vector<flatbuffers::Offset<fb::Buffer>>());
  const auto inlineBlobs = builder.CreateVector(std::vector<flatbuffers::Offset<fb::BackendDelegateInlineData>>());
  std::vector<flatbuffers::Offset<fb::DataSegment>> list;
  for (const Segment& segment : segments.segments())
    list.push_back(fb::CreateDataSegment(builder, segment.offset, segment.size));
  const auto segmentVector = builder.CreateVector(list);
  const auto offsets = builder.CreateVector(segments.constantOffsets());
  const auto constants = fb::CreateSubsegmentOffsets(builder, /*segment_index=*/0, offsets);
  std::vector<flatbuffers::Offset<fb::NamedData>> named;
  for (const auto& [key, segment] : segments.namedData())
    named.push_back(fb::CreateNamedData(builder, builder.CreateString(key), segment));
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::SubsegmentOffsets>>> mutableData;
  if (segments.initialBytes() > 0) {
    const auto starts = builder.CreateVector(segments.initialOffsets());
    mutableData =
        builder.CreateVector(std::vector{fb::CreateSubsegmentOffsets(builder, segments.initialSegment(), starts)});
  }
  const auto namedVector = named.empty() ? 0 : builder.CreateVector(named);
  const auto program = fb::CreateProgram(builder, /*version=*/0, plans, constantBuffer, inlineBlobs, segmentVector,
                                         constants, mutableData, namedVector);
  builder.Finish(program, fb::ProgramIdentifier());
}

template <typename Number>
void store(std::span<std::byte> out, size_t at, Number number) {
  std::memcpy(out.data() + at, &number, sizeof number);
}

// The extended header, which says where the segments are, stands between the identifier and the rest of the FlatBuffer,
// so the root lies that much further on.
std::array<std::byte, kHeaderAt + kHeaderBytes> startWithHeader(const flatbuffers::FlatBufferBuilder& builder,
                                                                uint64_t segmentBase, uint64_t segmentBytes) {
  std::array<std::byte, kHeaderAt + kHeaderBytes> start{};
  std::memcpy(start.data(), builder.GetBufferPointer(), kHeaderAt);
  uint32_t root = 0;
  std::memcpy(&root, start.data(), sizeof root);
  store(start, 0, root + kHeaderBytes);
  std::memcpy(start.data() + 8, "eh00", 4);
  store(start, 12, kHeaderBytes);
  store(start, 16, uint64_t{builder.GetSize()} + kHeaderBytes);
  store(start, 24, segmentBase);
  store(start, 32, segmentBytes);
  return start;
}

void requireDistinctNames(const std::vector<const ir::Graph*>& methods) {
  std::set<std::string> names;
  for (const ir::Graph* method : methods) {
    if (names.insert(method->name()).second) continue;
    throw ExportError(Code::Usage, concat("two methods have the name ", method->name()),
                      {"give each method a name of its own"});
  }
}

std::vector<MemoryPlan> planMethods(const std::vector<const ir::Graph*>& methods, const WriteOptions& options) {
  std::vector<MemoryPlan> plans;
  for (const ir::Graph* method : methods) plans.push_back(planMemory(*method, options));
  if (options.shareStates) planSharedStates(methods, options, plans);
  return plans;
}

void writeFile(const flatbuffers::FlatBufferBuilder& builder, const Segments& segments, uint64_t base,
               const WriteResult& result, Sink& out, const Context& context) {
  out.expect(result.totalBytes);
  PieceStream stream(out, context, result.totalBytes, {result.externalBytes, result.externalBytes + result.totalBytes});
  const auto flatBuffer = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  const bool hasSegments = !segments.segments().empty();
  if (hasSegments) stream.add(startWithHeader(builder, base, segments.bytes()));
  stream.add(hasSegments ? flatBuffer.subspan(kHeaderAt) : flatBuffer);
  for (const Piece& piece : segments.pieces()) {
    stream.padTo(base + piece.offset);
    stream.add(*piece.source);
  }
  stream.padTo(result.totalBytes);
  stream.finish();
}

}  // namespace

std::vector<std::string> WriteResult::kernels() const {
  std::set<std::string> names;
  for (const WrittenMethod& method : methods) names.insert(method.kernels.begin(), method.kernels.end());
  return {names.begin(), names.end()};
}

WriteResult writeProgram(const std::vector<const ir::Graph*>& methods, const WriteOptions& options, Sink& out,
                         const Context& context, Sink* external) {
  check(options.segmentAlignment > 0, "the alignment of segments is a positive number");
  requireDistinctNames(methods);
  WriteResult result;
  std::vector<MemoryPlan> plans = planMethods(methods, options);
  std::vector<Storage> storages;
  for (const ir::Graph* method : methods) storages.emplace_back(*method, options);
  ExternalData externalData;
  const Segments segments(storages, options, external != nullptr ? &externalData : nullptr, context);
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  std::vector<flatbuffers::Offset<fb::ExecutionPlan>> built;
  for (size_t i = 0; i < methods.size(); ++i) {
    WrittenMethod& method = result.methods.emplace_back();
    method.name = methods[i]->name();
    method.plan = std::move(plans[i]);
    built.push_back(buildPlan(builder, storages[i], segments, context, method));
    for (const ir::Value* state : methods[i]->states())
      method.states.push_back({state->initial()->name, state->type(), segments.startsAtZero(*state->initial())});
  }
  buildProgram(builder, built, segments);

  const bool hasSegments = !segments.segments().empty();
  result.programBytes = uint64_t{builder.GetSize()} + (hasSegments ? kHeaderBytes : 0);
  result.constantBytes = segments.constantBytes();
  result.initialBytes = segments.initialBytes();
  result.delegateBytes = segments.delegateBytes();
  result.namedDataBytes = segments.namedDataBytes();
  const uint64_t base = hasSegments ? roundUp(result.programBytes, options.segmentAlignment) : 0;
  result.totalBytes = hasSegments ? base + segments.bytes() : result.programBytes;
  if (external != nullptr && !externalData.empty()) {
    result.externalBytes = externalData.prepare(options.segmentAlignment);
    externalData.write(*external, context, 0, result.externalBytes + result.totalBytes);
  }
  writeFile(builder, segments, base, result, out, context);
  return result;
}

}  // namespace exportdeck::pte
