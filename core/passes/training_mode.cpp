#include "passes/training_mode.h"

#include <string_view>
#include <unordered_map>

#include "base/text.h"

namespace exportdeck::passes {

namespace {

enum class Kind { Dropout, BatchNorm, InstanceNorm, Recurrent, AlwaysTraining };

Kind kindOf(std::string_view op, bool& known) {
  static const std::unordered_map<std::string_view, Kind> kinds{
      {"aten.dropout.default", Kind::Dropout},
      {"aten.dropout_.default", Kind::Dropout},
      {"aten.feature_dropout.default", Kind::Dropout},
      {"aten.feature_dropout_.default", Kind::Dropout},
      {"aten.alpha_dropout.default", Kind::Dropout},
      {"aten.alpha_dropout_.default", Kind::Dropout},
      {"aten.feature_alpha_dropout.default", Kind::Dropout},
      {"aten.feature_alpha_dropout_.default", Kind::Dropout},
      {"aten.native_dropout.default", Kind::Dropout},
      {"aten.batch_norm.default", Kind::BatchNorm},
      {"aten._native_batch_norm_legit.default", Kind::AlwaysTraining},
      {"aten._native_batch_norm_legit_functional.default", Kind::AlwaysTraining},
      {"aten.instance_norm.default", Kind::InstanceNorm},
      {"aten.lstm.input", Kind::Recurrent},
      {"aten.gru.input", Kind::Recurrent},
      {"aten.rnn_tanh.input", Kind::Recurrent},
      {"aten.rnn_relu.input", Kind::Recurrent},
  };
  const auto found = kinds.find(op);
  known = found != kinds.end();
  return known ? found->second : Kind::Dropout;
}

// Arguments: dropouts (x, p, train); batch_norm (x, weight, bias, mean, variance, training, …), instance_norm alike;
// recurrent layers (x, hx, params, has_biases, num_layers, dropout, train, …).
bool isTraining(const ir::Node& node) {
  bool known = false;
  const Kind kind = kindOf(node.op(), known);
  if (!known) return false;
  switch (kind) {
    case Kind::Dropout:
      return !node.isNone(2) && node.boolArg(2) && node.floatArg(1) > 0;
    case Kind::BatchNorm:
    case Kind::InstanceNorm:
      return node.boolArg(5) && !node.isNone(3);
    case Kind::Recurrent:
      return node.boolArg(6) && node.floatArg(5) > 0 && node.intArg(4) > 1;
    case Kind::AlwaysTraining:
      return true;
  }
  return false;
}

}  // namespace

void refuseTrainingMode(const ir::Node& node) {
  if (!isTraining(node)) return;
  throw ExportError(Diagnostic{Code::TrainingMode,
                               Severity::Error,
                               concat(node.op(), " was exported in training mode"),
                               node.origin(),
                               "In training it draws random numbers or changes its statistics on every call",
                               {"Call model.eval() before torch.export.export()."}});
}

}  // namespace exportdeck::passes
