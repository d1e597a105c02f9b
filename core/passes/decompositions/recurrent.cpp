// Recurrent layers, unrolled over their fixed number of steps.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

// Longer sequences would make programs of tens of thousands of nodes.
constexpr int64_t kMostSteps = 1024;

enum class Kind { Tanh, Relu, Gru, Lstm };

struct Weights {
  Value *input, *hidden, *inputBias = nullptr, *hiddenBias = nullptr;
  Value* projection = nullptr;  // of an LSTM's output
};

struct State {
  Value* hidden = nullptr;
  Value* cell = nullptr;  // LSTM only
};

Value* sigmoid(Builder& build, Value* x) {
  return build.unary("aten.sigmoid.default", x);
}
Value* tanh(Builder& build, Value* x) {
  return build.unary("aten.tanh.default", x);
}

// Part i of `count` equal parts of the last dimension.
Value* gate(Builder& build, Value* x, int64_t i, int64_t count) {
  const int64_t size = x->type().size(-1) / count;
  return build.slice(x, -1, i * size, (i + 1) * size);
}

// One step: `projected` is the input's share, already multiplied.
State step(Builder& build, Kind kind, Value* projected, const State& before, const Weights& w) {
  Value* recurrent = build.linear(before.hidden, w.hidden, w.hiddenBias);
  if (kind == Kind::Gru) {
    Value* reset = sigmoid(build, build.add(gate(build, projected, 0, 3), gate(build, recurrent, 0, 3)));
    Value* update = sigmoid(build, build.add(gate(build, projected, 1, 3), gate(build, recurrent, 1, 3)));
    Value* fresh = tanh(build, build.add(gate(build, projected, 2, 3), build.mul(reset, gate(build, recurrent, 2, 3))));
    return {build.add(fresh, build.mul(update, build.sub(before.hidden, fresh))), nullptr};
  }
  Value* sum = build.add(projected, recurrent);
  if (kind == Kind::Tanh) return {tanh(build, sum), nullptr};
  if (kind == Kind::Relu) return {build.unary("aten.relu.default", sum), nullptr};
  Value* kept = build.mul(sigmoid(build, gate(build, sum, 1, 4)), before.cell);
  Value* added = build.mul(sigmoid(build, gate(build, sum, 0, 4)), tanh(build, gate(build, sum, 2, 4)));
  Value* cell = build.add(kept, added);
  Value* output = build.mul(sigmoid(build, gate(build, sum, 3, 4)), tanh(build, cell));
  return {w.projection ? build.linear(output, w.projection, nullptr) : output, cell};
}

struct Layer {
  Value* output;  // [steps, batch, features]
  State last;
};

// x [steps, batch, features]
Layer runDirection(Builder& build, Kind kind, Value* x, State state, const Weights& w, bool reversed) {
  const int64_t steps = x->type().size(0);
  Value* projected = build.linear(x, w.input, w.inputBias);
  Results outputs(static_cast<size_t>(steps));
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t at = reversed ? steps - 1 - i : i;
    state = step(build, kind, build.select(projected, 0, at), state, w);
    outputs[static_cast<size_t>(at)] = build.unsqueeze(state.hidden, 0);
  }
  return {build.cat(outputs, 0), state};
}

struct Settings {
  Kind kind;
  Value* x;
  Value* hidden;  // [layers * directions, batch, features]
  Value* cell;
  ir::ValueList parameters;
  bool hasBiases;
  int64_t layers;
  bool bidirectional, batchFirst;

  bool isProjected() const { return cell && hidden->type().size(-1) != cell->type().size(-1); }
  size_t parametersPerDirection() const { return (hasBiases ? 4u : 2u) + (isProjected() ? 1u : 0u); }
};

struct Stack {
  Value *output, *hidden, *cell;
};

Stack runStack(Builder& build, const Settings& s, Value* x) {
  const int64_t directions = s.bidirectional ? 2 : 1;
  const size_t perDirection = s.parametersPerDirection();
  Results hidden, cells;
  for (int64_t layer = 0; layer < s.layers; ++layer) {
    Results outputs;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const int64_t index = layer * directions + direction;
      const size_t first = static_cast<size_t>(index) * perDirection;
      Weights w{s.parameters[first], s.parameters[first + 1]};
      if (s.hasBiases) {
        w.inputBias = s.parameters[first + 2];
        w.hiddenBias = s.parameters[first + 3];
      }
      if (s.isProjected()) w.projection = s.parameters[first + perDirection - 1];
      const State start{build.select(s.hidden, 0, index), s.cell ? build.select(s.cell, 0, index) : nullptr};
      const Layer run = runDirection(build, s.kind, x, start, w, direction == 1);
      outputs.push_back(run.output);
      hidden.push_back(build.unsqueeze(run.last.hidden, 0));
      if (s.cell) cells.push_back(build.unsqueeze(run.last.cell, 0));
    }
    x = build.cat(outputs, -1);
  }
  return {x, build.cat(hidden, 0), s.cell ? build.cat(cells, 0) : nullptr};
}

Results run(Builder& build, const Node& node, Settings s) {
  const size_t directions = s.bidirectional ? 2 : 1;
  if (s.parameters.size() != static_cast<size_t>(s.layers) * directions * s.parametersPerDirection()) return {};
  const bool batched = rankOf(s.x) == 3;
  const auto addBatch = [&](Value* x) { return batched || !x ? x : build.unsqueeze(x, 1); };
  Value* x = batched && s.batchFirst ? build.transpose(s.x, 0, 1) : addBatch(s.x);
  if (x->type().size(0) == 0 || x->type().size(0) > kMostSteps) return {};
  s.hidden = addBatch(s.hidden);
  s.cell = addBatch(s.cell);
  Stack out = runStack(build, s, x);
  if (batched && s.batchFirst) out.output = build.transpose(out.output, 0, 1);
  Results results{build.view(out.output, sizesOf(node.output(0))), build.view(out.hidden, sizesOf(node.output(1)))};
  if (out.cell) results.push_back(build.view(out.cell, sizesOf(node.output(2))));
  return results;
}

// (x, hx, params, hasBiases, layers, dropout, train, bidirectional, batchFirst)
Results layer(Builder& build, const Node& node, Kind kind) {
  const bool isLstm = kind == Kind::Lstm;
  Value* hidden = isLstm ? node.values(1).at(0) : node.value(1);
  Value* cell = isLstm ? node.values(1).at(1) : nullptr;
  return run(build, node,
             {kind, node.value(0), hidden, cell, node.values(2), node.boolArg(3), node.intArg(4), node.boolArg(7),
              node.boolArg(8)});
}

Results lstm(Builder& build, const Node& node) {
  return layer(build, node, Kind::Lstm);
}
Results gru(Builder& build, const Node& node) {
  return layer(build, node, Kind::Gru);
}
Results rnnTanh(Builder& build, const Node& node) {
  return layer(build, node, Kind::Tanh);
}
Results rnnRelu(Builder& build, const Node& node) {
  return layer(build, node, Kind::Relu);
}

// (x, hx, inputWeight, hiddenWeight, inputBias, hiddenBias)
State cell(Builder& build, const Node& node, Kind kind, State state) {
  const Weights w{node.value(2), node.value(3), node.valueOrNull(4), node.valueOrNull(5)};
  return step(build, kind, build.linear(node.value(0), w.input, w.inputBias), state, w);
}

Results lstmCell(Builder& build, const Node& node) {
  const State out = cell(build, node, Kind::Lstm, {node.values(1).at(0), node.values(1).at(1)});
  return {out.hidden, out.cell};
}
Results gruCell(Builder& build, const Node& node) {
  return {cell(build, node, Kind::Gru, {node.value(1), nullptr}).hidden};
}
Results tanhCell(Builder& build, const Node& node) {
  return {cell(build, node, Kind::Tanh, {node.value(1), nullptr}).hidden};
}
Results reluCell(Builder& build, const Node& node) {
  return {cell(build, node, Kind::Relu, {node.value(1), nullptr}).hidden};
}

}  // namespace

void registerRecurrent(DecompositionRegistry& registry) {
  registry.add({"aten.lstm.input"}, lstm);
  registry.add({"aten.gru.input"}, gru);
  registry.add({"aten.rnn_tanh.input"}, rnnTanh);
  registry.add({"aten.rnn_relu.input"}, rnnRelu);
  registry.add({"aten.lstm_cell.default"}, lstmCell);
  registry.add({"aten.gru_cell.default"}, gruCell);
  registry.add({"aten.rnn_tanh_cell.default"}, tanhCell);
  registry.add({"aten.rnn_relu_cell.default"}, reluCell);
}

}  // namespace exportdeck::passes::decompositions
