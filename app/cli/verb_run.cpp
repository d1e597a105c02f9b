#include <chrono>

#include "base/text.h"
#include "cli/format.h"
#include "cli/guarded.h"
#include "cli/input_values.h"
#include "cli/program_data.h"
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
    app.add_option("--repeat", repeat_, "Call it so many times; state is kept, and a case's calls are taken in order")
        ->type_name("N")
        ->check(CLI::Range(1, kMostCalls));
    app.add_option("--outputs", outputs_, "Write the outputs into this folder")->type_name("DIR");
    app.add_option("--samples", samples_)->group("");
    app.add_option("--index-limit", indexLimit_)->group("");
    app.add_option("--method", method_, "The method; forward where the program has several")->type_name("NAME");
    app.add_option("--data", data_, "The program's constants; PROGRAM.ptd where that is there")->type_name("FILE.ptd");
    app.add_flag(kInProcessFlag, inProcess_)->group("");
  }

  Outcome run(Invocation& invocation) override {
    if (inProcess_) return runHere();
    std::vector<std::string> words{"run", program_};
    if (!inputs_.empty()) words.insert(words.end(), {"--inputs", inputs_});
    if (!outputs_.empty()) words.insert(words.end(), {"--outputs", outputs_});
    if (repeat_ > 1) words.insert(words.end(), {"--repeat", concat(repeat_)});
    if (!method_.empty()) words.insert(words.end(), {"--method", method_});
    if (!data_.empty()) words.insert(words.end(), {"--data", data_});
    return runGuarded(words, invocation.stop);
  }

  std::string text(const nlohmann::json& report) const override {
    if (!report.contains("outputs")) return {};
    std::string out;
    const nlohmann::json& earlier = report["earlier"];
    for (size_t call = 0; call < earlier.size(); ++call)
      out += concat("Call ", call + 1, "\n", slotRows(earlier[call]["outputs"], "output"),
                    slotRows(earlier[call]["changed_inputs"], "input"));
    if (!earlier.empty()) out += concat("Call ", earlier.size() + 1, "\n");
    return concat(out, slotRows(report["outputs"], "output"), slotRows(report["changed_inputs"], "input"),
                  table({{"inputs", textField(report, "inputs")},
                         {"load", formatSeconds(report.value("seconds_load", 0.0))},
                         {"run", formatSeconds(report.value("seconds_run", 0.0))},
                         {"arena", formatBytes(report.value("planned_bytes", uint64_t{0}))},
                         {"backends", join(report.value("backends", std::vector<std::string>()), ", ")}},
                        2));
  }

 private:
  // An input that the program changed has its place among the inputs.
  static std::string slotRows(const nlohmann::json& values, const char* what) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& value : values)
      rows.push_back({concat(what, " ", value.value("index", rows.size())), slotText(value), outputText(value)});
    return table(rows, 2);
  }

  static nlohmann::json toJson(const std::vector<runtime::HostValue>& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const runtime::HostValue& value : values) list.push_back(valueToJson(value));
    return list;
  }

  static nlohmann::json changed(const std::vector<runtime::HostValue>& before,
                                const std::vector<runtime::HostValue>& after) {
    nlohmann::json list = nlohmann::json::array();
    for (size_t i = 0; i < before.size(); ++i) {
      const auto* given = std::get_if<runtime::HostTensor>(&before[i]);
      if (given == nullptr || given->bytes == std::get<runtime::HostTensor>(after[i]).bytes) continue;
      list.push_back(valueToJson(after[i]));
      list.back()["index"] = i;
    }
    return list;
  }

  Outcome runHere() {
    const auto started = Clock::now();
    const auto program = runtime::LoadedProgram::load(program_, {method_, programData(program_, data_)});
    const double loadSeconds = secondsSince(started);
    const std::vector<std::vector<runtime::HostValue>> calls = chooseInputs(program->inputs());
    std::vector<runtime::HostValue> results, after;
    nlohmann::json earlier = nlohmann::json::array(), outputs, changedInputs;
    double runSeconds = 0;
    for (int call = 0; call < repeat_; ++call) {
      if (call > 0) earlier.push_back({{"outputs", outputs}, {"changed_inputs", changedInputs}});
      const std::vector<runtime::HostValue>& values = calls[static_cast<size_t>(call) % calls.size()];
      const auto runStarted = Clock::now();
      results = program->run(values, &after);
      runSeconds += secondsSince(runStarted);
      outputs = toJson(results);
      changedInputs = changed(values, after);
    }
    if (!outputs_.empty()) writeOutputs(outputs_, results, outputs);
    return {{{"program", program_},
             {"inputs", inputKind_},
             {"outputs", std::move(outputs)},
             {"changed_inputs", std::move(changedInputs)},
             {"earlier", std::move(earlier)},
             {"seconds_load", loadSeconds},
             {"seconds_run", runSeconds},
             {"calls", repeat_},
             {"planned_bytes", program->plannedBytes()},
             {"backends", program->backends()}},
            {}};
  }

  // Of each call in turn.
  std::vector<std::vector<runtime::HostValue>> chooseInputs(const std::vector<runtime::SlotInfo>& slots) {
    if (!inputs_.empty()) {
      inputKind_ = "case";
      runtime::Case given = runtime::readCase(inputs_);
      if (given.calls.empty()) throw ExportError(Code::CaseInvalid, concat("The case ", inputs_, " holds no call"));
      std::vector<std::vector<runtime::HostValue>> calls;
      for (runtime::CaseCall& call : given.calls) calls.push_back(std::move(call.inputs));
      return calls;
    }
    if (!samples_.empty()) {
      if (auto values = sampleInputs(samples_, slots)) {
        inputKind_ = "sample";
        return {std::move(*values)};
      }
    }
    inputKind_ = "random";
    return {runtime::randomInputs(slots, kSeed, indexLimit_)};
  }

  std::string method_, data_, program_, inputs_, outputs_, samples_, inputKind_;
  static constexpr int kMostCalls = 10000;
  int repeat_ = 1;
  int64_t indexLimit_ = kSafeIndexLimit;
  bool inProcess_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeRunVerb() {
  return std::make_unique<RunVerb>();
}

}  // namespace exportdeck::cli
