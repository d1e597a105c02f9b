// How far the outputs of two programs of one model are apart: what an export asks of itself about quantised weights.
#include <cmath>

#include "cli/guarded.h"
#include "cli/input_values.h"
#include "cli/verb.h"
#include "runtime/program.h"

namespace exportdeck::cli {

namespace {

constexpr uint64_t kSeed = 1;

nlohmann::json orNull(double number) {
  return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json();
}

class DifferenceVerb : public Verb {
 public:
  const char* name() const override { return "difference"; }
  const char* summary() const override { return "Compare two programs of one model on the same inputs"; }
  bool isInternal() const override { return true; }

  void declare(CLI::App& app) override {
    app.add_option("PROGRAM.pte", program_)->required();
    app.add_option("OTHER.pte", other_)->required();
    app.add_option("--samples", samples_);
    app.add_option("--index-limit", indexLimit_);
    app.add_option("--method", method_);
    app.add_option("--data", data_);
    app.add_flag(kInProcessFlag, inProcess_);
  }

  Outcome run(Invocation& invocation) override {
    if (inProcess_) return runHere();
    return runGuarded({"difference", program_, other_, "--samples", samples_, "--index-limit",
                       std::to_string(indexLimit_), "--method", method_, "--data", data_},
                      invocation.stop);
  }

  std::string text(const nlohmann::json& report) const override { return report.dump(2) + "\n"; }

 private:
  // One program after the other, so that only one is in memory.
  Outcome runHere() {
    std::vector<runtime::HostValue> inputs;
    std::string kind = "random";
    const std::vector<runtime::HostValue> want = outputsOf(other_, {}, inputs, kind);
    const std::vector<runtime::HostValue> got = outputsOf(program_, data_, inputs, kind);
    nlohmann::json outputs = nlohmann::json::array();
    runtime::Comparison whole = runtime::compare(got, want, {});
    for (size_t i = 0; i < want.size(); ++i) {
      const runtime::Comparison one = runtime::compare({got.at(i)}, {want[i]}, {});
      outputs.push_back({{"snr_db", orNull(one.signalToNoiseDb)}, {"max_abs_error", orNull(one.maxAbsoluteError)}});
    }
    return {{{"inputs", kind},
             {"snr_db", orNull(whole.signalToNoiseDb)},
             {"max_abs_error", orNull(whole.maxAbsoluteError)},
             {"outputs", std::move(outputs)}},
            {}};
  }

  // Chooses inputs where there are none yet.
  std::vector<runtime::HostValue> outputsOf(const std::string& path, const std::string& data,
                                            std::vector<runtime::HostValue>& inputs, std::string& kind) const {
    const auto program = runtime::LoadedProgram::load(path, {method_, data});
    if (inputs.empty()) {
      const std::vector<runtime::SlotInfo> slots = program->inputs();
      if (auto values = sampleInputs(samples_, slots)) {
        kind = "sample";
        inputs = std::move(*values);
      } else {
        inputs = runtime::randomInputs(slots, kSeed, indexLimit_);
      }
    }
    return program->run(inputs);
  }

  std::string program_, other_, samples_, method_, data_;
  int64_t indexLimit_ = kSafeIndexLimit;
  bool inProcess_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeDifferenceVerb() {
  return std::make_unique<DifferenceVerb>();
}

}  // namespace exportdeck::cli
