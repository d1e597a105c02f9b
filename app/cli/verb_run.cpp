#include <chrono>

#include "base/text.h"
#include "cli/format.h"
#include "cli/guarded.h"
#include "cli/input_values.h"
#include "cli/value_json.h"
#include "cli/verb.h"
#include "runtime/program.h"

namespace exportdeck::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t kSeed = 1;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string outputText(const nlohmann::json& output) {
  if (output.contains("value")) return output["value"].dump();
  if (output.contains("file")) return textField(output, "file");
  if (!output.contains("values")) return "";
  std::vector<std::string> words;
  for (const auto& value : output["values"])
    words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return join(words, " ");
}

class RunVerb : public Verb {
 public:
  const char* name() const override { return "run"; }
  const char* summary() const override { return "Run a program on the ExecuTorch runtime"; }

  void declare(CLI::App& app) override {
    app.add_option("PROGRAM.pte", program_, "The program")->required();
    app.add_option("--inputs", inputs_, "A case folder with inputs; random ones where it is not given")
        ->type_name("CASE_DIR");
    app.add_option("--outputs", outputs_, "Write the outputs into this folder")->type_name("DIR");
    app.add_option("--samples", samples_)->group("");
    app.add_option("--index-limit", indexLimit_)->group("");
    app.add_flag(kInProcessFlag, inProcess_)->group("");
  }

  Outcome run(Invocation& invocation) override {
    if (inProcess_) return runHere();
    std::vector<std::string> words{"run", program_};
    if (!inputs_.empty()) words.insert(words.end(), {"--inputs", inputs_});
    if (!outputs_.empty()) words.insert(words.end(), {"--outputs", outputs_});
    return runGuarded(words, invocation.stop);
  }

  std::string text(const nlohmann::json& report) const override {
    if (!report.contains("outputs")) return {};
    std::vector<std::vector<std::string>> rows;
    size_t index = 0;
    for (const auto& output : report["outputs"])
      rows.push_back({concat("output ", index++), slotText(output), outputText(output)});
    return concat(table(rows, 2),
                  table({{"inputs", textField(report, "inputs")},
                         {"load", formatSeconds(report.value("seconds_load", 0.0))},
                         {"run", formatSeconds(report.value("seconds_run", 0.0))},
                         {"arena", formatBytes(report.value("planned_bytes", uint64_t{0}))},
                         {"backends", join(report.value("backends", std::vector<std::string>()), ", ")}},
                        2));
  }

 private:
  Outcome runHere() {
    const auto started = Clock::now();
    const auto program = runtime::LoadedProgram::load(program_);
    const double loadSeconds = secondsSince(started);
    const std::vector<runtime::HostValue> values = chooseInputs(program->inputs());
    const auto runStarted = Clock::now();
    const std::vector<runtime::HostValue> results = program->run(values);
    const double runSeconds = secondsSince(runStarted);
    nlohmann::json outputs = nlohmann::json::array();
    for (const runtime::HostValue& result : results) outputs.push_back(valueToJson(result));
    if (!outputs_.empty()) writeOutputs(outputs_, results, outputs);
    return {{{"program", program_},
             {"inputs", inputKind_},
             {"outputs", std::move(outputs)},
             {"seconds_load", loadSeconds},
             {"seconds_run", runSeconds},
             {"calls", 1},
             {"planned_bytes", program->plannedBytes()},
             {"backends", program->backends()}},
            {}};
  }

  std::vector<runtime::HostValue> chooseInputs(const std::vector<runtime::SlotInfo>& slots) {
    if (!inputs_.empty()) {
      inputKind_ = "case";
      runtime::Case given = runtime::readCase(inputs_);
      if (given.calls.empty()) throw ExportError(Code::CaseInvalid, concat("The case ", inputs_, " holds no call"));
      return std::move(given.calls.front().inputs);
    }
    if (!samples_.empty()) {
      if (auto values = sampleInputs(samples_, slots)) {
        inputKind_ = "sample";
        return std::move(*values);
      }
    }
    inputKind_ = "random";
    return runtime::randomInputs(slots, kSeed, indexLimit_);
  }

  std::string program_, inputs_, outputs_, samples_, inputKind_;
  int64_t indexLimit_ = kSafeIndexLimit;
  bool inProcess_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeRunVerb() {
  return std::make_unique<RunVerb>();
}

}  // namespace exportdeck::cli
