// Operators that move elements, or add them up, do the same to both parts.
#include <algorithm>

#include "base/text.h"
#include "passes/complex/parts.h"

namespace exportdeck::passes::complex {

namespace {

bool isData(const Rewriter& r, size_t argument) {
  const std::string_view op = r.node.op();
  if (argument == 0) return true;
  // The second operand is written into the first.
  constexpr std::string_view kWrites[] = {"aten.slice_scatter.default", "aten.select_scatter.default",
                                          "aten.diagonal_scatter.default"};
  if (std::find(std::begin(kWrites), std::end(kWrites), op) != std::end(kWrites)) return argument == 1;
  if (op == "aten.index_put.default") return argument == 2;
  return op.starts_with("aten.scatter") && argument == 3;
}

// The node once more on one part of each operand.
class PartCopy {
 public:
  PartCopy(Rewriter& r, bool imaginary) : r_(r), imaginary_(imaginary) {}

  std::vector<Value*> results() {
    std::vector<ir::Argument> args;
    for (size_t i = 0; i < r_.node.argCount(); ++i) args.push_back(argument(i));
    std::vector<ir::TensorType> types;
    for (const Value* output : r_.node.outputs()) types.push_back(partOf(output->type()));
    return r_.build.nodeMulti(r_.node.op(), std::move(args), std::move(types));
  }

 private:
  Value* part(Value* value) {
    const Parts parts = r_.of(value);
    return r_.build.cast(imaginary_ ? r_.imaginary(parts) : parts.re, r_.partType());
  }
  ir::Argument argument(size_t i) {
    const ir::Argument& given = r_.node.args()[i];
    if (auto* const* value = std::get_if<Value*>(&given)) {
      const bool takesPart = (*value)->isTensor() && (isComplex(dtypeOf(*value)) || isData(r_, i));
      return takesPart ? ir::Argument(part(*value)) : given;
    }
    if (const auto* list = std::get_if<ir::ValueList>(&given); list && isData(r_, i)) {
      ir::ValueList parts;
      for (Value* value : *list) parts.push_back(value ? part(value) : nullptr);
      return parts;
    }
    if (const auto* dtype = std::get_if<DType>(&given)) return partOf(*dtype);
    return given;
  }

  Rewriter& r_;
  bool imaginary_;
};

bool hasImaginaryPart(Rewriter& r) {
  const std::vector<Value*> operands = r.node.operands();
  return std::any_of(operands.begin(), operands.end(),
                     [&](Value* value) { return value->isTensor() && r.of(value).im != nullptr; });
}

Results onBothParts(Rewriter& r) {
  Results out;
  for (Value* part : PartCopy(r, false).results()) out.push_back({part, nullptr});
  if (!hasImaginaryPart(r)) return out;
  const std::vector<Value*> imaginary = PartCopy(r, true).results();
  for (size_t i = 0; i < out.size(); ++i) out[i].im = imaginary[i];
  return out;
}

// A fill of zeros suits both parts; another number is the real part's.
Results padded(Rewriter& r) {
  const size_t place = r.node.is("aten.pad.default") ? 3 : 2;
  const auto number = complexNumber(r.node.args().at(place));
  return !number || *number == 0.0 ? onBothParts(r) : Results{};
}

// Each result is that of the operand in the same place.
Results onEachOfMany(Rewriter& r) {
  const auto expanded = [&](Value* value, const Value* output) {
    return r.each(r.of(value), [&](Value* part) { return r.build.expand(part, sizesOf(output)); });
  };
  Results out;
  const ir::ValueList operands = r.node.values(0);
  for (size_t i = 0; i < operands.size(); ++i) out.push_back(expanded(operands[i], r.node.output(i)));
  return out;
}

Results transposedConjugate(Rewriter& r) {
  const Parts x = r.of(r.node.value(0));
  const Parts turned =
      r.each(x, [&](Value* part) { return rankOf(part) < 2 ? part : r.build.transpose(part, -2, -1); });
  return {{turned.re, turned.im ? r.build.unary("aten.neg.default", turned.im) : nullptr}};
}

Parts chosen(Rewriter& r, Value* condition, const Parts& a, const Parts& b) {
  Value* re = r.build.where(condition, a.re, b.re);
  if (!a.im && !b.im) return {re, nullptr};
  return {re, r.build.where(condition, r.imaginary(a), r.imaginary(b))};
}
Results where(Rewriter& r) {
  return {chosen(r, r.node.value(0), r.operand(1, r.partType()), r.operand(2, r.partType()))};
}
Results maskedFill(Rewriter& r) {
  return {chosen(r, r.node.value(1), r.operand(2, r.partType()), r.operand(0, r.partType()))};
}

// Norms see only how large each number is.
Results ofMagnitudes(Rewriter& r) {
  std::vector<ir::Argument> args = r.node.args();
  args[0] = r.magnitude(r.of(r.node.value(0)));
  for (ir::Argument& argument : args) {
    if (const auto* dtype = std::get_if<DType>(&argument)) argument = partOf(*dtype);
  }
  return {{r.build.node(r.node.op(), std::move(args), r.node.output()->type()), nullptr}};
}

}  // namespace

void registerStructure(Table& table) {
  table.add({"aten.view.default",
             "aten.reshape.default",
             "aten._unsafe_view.default",
             "aten.view_copy.default",
             "aten._reshape_alias.default",
             "aten.flatten.using_ints",
             "aten.unflatten.int",
             "aten.squeeze.default",
             "aten.squeeze.dim",
             "aten.squeeze.dims",
             "aten.unsqueeze.default",
             "aten.view_as.default",
             "aten.reshape_as.default",
             "aten.ravel.default",
             "aten.expand.default",
             "aten.expand_as.default",
             "aten.broadcast_to.default",
             "aten.permute.default",
             "aten.transpose.int",
             "aten.swapaxes.default",
             "aten.swapdims.default",
             "aten.t.default",
             "aten.mT.default",
             "aten.numpy_T.default",
             "aten.movedim.int",
             "aten.movedim.intlist",
             "aten.moveaxis.int",
             "aten.moveaxis.intlist",
             "aten.slice.Tensor",
             "aten.select.int",
             "aten.narrow.default",
             "aten.unbind.int",
             "aten.split.Tensor",
             "aten.split.sizes",
             "aten.split_with_sizes.default",
             "aten.chunk.default",
             "aten.tensor_split.indices",
             "aten.tensor_split.sections",
             "aten.unfold.default"},
            onBothParts);
  table.add({"aten.cat.default",
             "aten.concat.default",
             "aten.concatenate.default",
             "aten.stack.default",
             "aten.hstack.default",
             "aten.vstack.default",
             "aten.index.Tensor",
             "aten.index_select.default",
             "aten.gather.default",
             "aten.take_along_dim.default",
             "aten.flip.default",
             "aten.roll.default",
             "aten.repeat.default",
             "aten.tile.default",
             "aten.repeat_interleave.self_int",
             "aten.diagonal.default",
             "aten.diag.default",
             "aten.diag_embed.default",
             "aten.tril.default",
             "aten.triu.default",
             "aten.trace.default",
             "aten.sum.default",
             "aten.sum.dim_IntList",
             "aten.mean.default",
             "aten.mean.dim",
             "aten.cumsum.default",
             "aten.slice_scatter.default",
             "aten.select_scatter.default",
             "aten.diagonal_scatter.default",
             "aten.scatter.src",
             "aten.index_put.default",
             "aten.fft_fftshift.default",
             "aten.fft_ifftshift.default",
             "aten.rot90.default",
             "aten.fliplr.default",
             "aten.flipud.default"},
            onBothParts);
  table.add({"aten.pad.default", "aten.constant_pad_nd.default"}, padded);
  table.add({"aten.broadcast_tensors.default"}, onEachOfMany);
  table.add({"aten.mH.default", "aten.adjoint.default"}, transposedConjugate);
  table.add({"aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther", "aten.where.Scalar"}, where);
  table.add({"aten.masked_fill.Scalar", "aten.masked_fill.Tensor"}, maskedFill);
  table.add({"aten.linalg_vector_norm.default", "aten.norm.ScalarOpt_dim", "aten.norm.Scalar"}, ofMagnitudes);
}

}  // namespace exportdeck::passes::complex
