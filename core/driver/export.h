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

struct ExportRequest {
  std::string source;  // .pt2
  std::string output;  // .pte
  std::string backend = "xnnpack";
  options::OptionSet options;                                     // of the backend's catalogue entry
  ops::RuntimeProfile runtime = ops::RuntimeProfile::standard();  // the kernels that the program may call
  bool replace = false;                                           // an existing output may be replaced
  bool keepRejected = false;  // a program that failed its check is kept as OUTPUT.rejected
  std::string dumpDirectory;  // empty: no dumps; else created, one file a pass: NN-PASS.txt
  nlohmann::json recorded;    // fields that the caller adds to the report and the sidecar: command line, profile
  // Checks the written program before it is published: receives a path to read it from, throws ExportError
  // (VerifyLoadFailed, VerifyMismatch …) when it must not be published, returns what the report says.
  std::function<nlohmann::json(const std::string& readablePath, const pt2::ExportedProgram& program)> verify;
  // What a repeated export has to come from, and should come to; empty: anything. Another source is refused
  // (RepeatDiffers), another program is warned of.
  std::string expectedSourceHash, expectedOutputHash;
  ProgramRunner evaluate;  // runs the parts of the model that depend on no input; empty: they stay in the program
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

struct ExportReport {
  std::string source, output, backend;
  std::string runtimeProfile, runtimeMeaning;
  options::OptionSet options;
  nlohmann::json recorded;  // as in the request
  uint64_t sourceBytes = 0;
  std::string
      sourceHash;  // XXH3-128 of the archive's central directory and program (weights are covered by their CRCs)
  std::string torchVersion, schema;
  nlohmann::json symbols;  // sizes that change between calls, with the bounds that memory was planned for
  std::map<std::string, int> operators;
  uint64_t parameterCount = 0, parameterBytes = 0;
  backends::Coverage coverage;
  std::vector<std::string> changedInputs;  // whose callers' tensors the program writes into
  pte::WriteResult written;                // its plan's values are gone: only sizes may be read
  std::string outputHash;                  // XXH3-128 of the program
  std::vector<StageTime> stages;
  double seconds = 0;
  nlohmann::json verification;  // null: not asked for
  std::vector<Diagnostic> diagnostics;
};

// The stages that an export goes through, in order, for a progress display that plans ahead.
std::vector<std::string> stageNames(bool verifies);

// "model.pte" -> "model.export.json", "model.rejected": the files that stand beside an output.
std::string sidecarPath(const std::string& output);
std::string rejectedPath(const std::string& output);

// Publishes `output` and its sidecar, or nothing. Throws ExportError.
ExportReport exportProgram(const ExportRequest& request, DiagnosticSink& diagnostics, const Context& context);

nlohmann::json toJson(const ExportReport& report);
nlohmann::json toJson(const Diagnostic& diagnostic);

}  // namespace exportdeck::driver
