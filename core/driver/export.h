// The native exporter as one call: read, lower, partition, write, check, publish.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "base/progress.h"
#include "driver/evaluation.h"
#include "ops/runtime_profile.h"
#include "options/option_set.h"
#include "pt2/reader.h"
#include "pte/writer.h"

namespace exportdeck::driver {

// What becomes one method of a program.
struct MethodSource {
  std::string name;  // a runtime calls it by this
  std::string path;  // .pt2
  // What a repeated export has to come from; empty: anything. Another source is refused (RepeatDiffers).
  std::string expectedHash;
};

// A written program that nobody else can see yet.
struct Unpublished {
  std::string program;  // a path to read it from
  std::string data;     // the same of its constants; empty where they are in the program
  const MethodSource& method;
  const pt2::ExportedProgram& exported;
  bool isQuantised;  // by the export: its outputs differ from those of the model
};

struct ExportRequest {
  MethodSource method{"forward", {}, {}};
  std::vector<MethodSource> furtherMethods;
  std::string output;  // .pte
  std::string backend = "xnnpack";
  options::OptionSet options;                                     // of the backend's catalogue entry
  ops::RuntimeProfile runtime = ops::RuntimeProfile::standard();  // the kernels that the program may call
  bool replace = false;                                           // an existing output may be replaced
  bool keepRejected = false;  // a program that failed its check is kept as OUTPUT.rejected
  std::string dumpDirectory;  // empty: no dumps; else created, one file a pass: NN-PASS.txt
  nlohmann::json recorded;    // fields that the caller adds to the report and the sidecar: command line, profile
  // Checks one method of the written program before it is published: throws ExportError (VerifyLoadFailed,
  // VerifyMismatch …) when it must not be published, returns what the report says.
  std::function<nlohmann::json(const Unpublished&)> verify;
  // Says how far the outputs of a quantised method are from those of the same program with its weights as they were,
  // which lies at the path `floats`. Empty: not told. Throws ExportError.
  std::function<nlohmann::json(const Unpublished& quantised, const std::string& floats)> compare;
  std::string expectedOutputHash;  // what a repeated export should come to; another program is warned of
  ProgramRunner evaluate;  // runs the parts of the model that depend on no input; empty: they stay in the program
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

struct MethodReport {
  std::string name, source;
  uint64_t sourceBytes = 0;
  std::string sourceHash;  // XXH3-128 of the archive's central directory (weights are covered by their CRCs)
  std::string torchVersion, schema;
  nlohmann::json symbols;  // sizes that change between calls, with the bounds that memory was planned for
  std::map<std::string, int> operators;
  uint64_t parameterCount = 0, parameterBytes = 0;
  backends::Coverage coverage;
  std::vector<std::string> changedInputs;  // whose callers' tensors the program writes into
  nlohmann::json verification;             // null: not asked for
  nlohmann::json quantisation;             // null: not asked for; see driver/quantisation.h. "error": what compare said
};

struct ExportReport {
  std::string output, external, backend;  // external: the file of constants; empty where there is none
  std::string runtimeProfile, runtimeMeaning;
  options::OptionSet options;
  nlohmann::json recorded;               // as in the request
  std::vector<MethodReport> methods;     // at least one
  pte::WriteResult written;              // methods as above; their plans' values are gone: only sizes may be read
  std::string outputHash, externalHash;  // XXH3-128 of the files
  std::vector<StageTime> stages;
  double seconds = 0;
  std::vector<Diagnostic> diagnostics;
};

// The stages that an export goes through, in order, for a progress display that plans ahead.
std::vector<std::string> stageNames(const ExportRequest& request);

// "model.pte" -> "model.export.json", "model.rejected", "model.ptd": the files that stand beside an output.
std::string sidecarPath(const std::string& output);
std::string rejectedPath(const std::string& output);
std::string externalPath(const std::string& output);

// Publishes `output`, its file of constants where that is asked for, and its sidecar, or nothing. Throws ExportError.
ExportReport exportProgram(const ExportRequest& request, DiagnosticSink& diagnostics, const Context& context);

nlohmann::json toJson(const ExportReport& report);
nlohmann::json toJson(const Diagnostic& diagnostic);

}  // namespace exportdeck::driver
