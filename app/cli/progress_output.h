// Progress on stderr: as lines for people, or as JSON for programs (version 1, see services/progress_event.h).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/progress.h"
#include "cli/console.h"

namespace exportdeck::cli {

enum class ProgressKind { Text, Json, None };

class ProgressOutput : public ProgressSink {
 public:
  virtual void plan(const std::vector<std::string>& stages) = 0;
  virtual void diagnostic(const Diagnostic& diagnostic) = 0;
};

std::unique_ptr<ProgressOutput> makeProgress(ProgressKind kind, Console& console);

// Passes each new warning on to the progress output.
class ShownDiagnostics : public DiagnosticSink {
 public:
  explicit ShownDiagnostics(ProgressOutput& output) : output_(output) {}

 protected:
  void added(const Diagnostic& diagnostic) override { output_.diagnostic(diagnostic); }

 private:
  ProgressOutput& output_;
};

}  // namespace exportdeck::cli
