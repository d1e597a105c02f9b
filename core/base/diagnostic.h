// What went wrong, where, why, and what to do: the one form in which every layer reports it.
#pragma once

#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace exportdeck {

// Exit codes of the command line; fixed, scripts rely on them.
enum class ExitCode : int {
  Done = 0,
  CheckedAndWrong = 1,
  Usage = 2,
  BadInput = 3,
  Unsupported = 4,
  InputOutput = 5,
  Cancelled = 6,
  Fault = 70,  // a fault of ours
};

enum class Severity { Info, Warning, Error };

// Stable names of what can go wrong: see codeInfo() for the text id ("operator.unsupported") and the exit code of each.
enum class Code {
  Fault,  // an invariant of ours does not hold
  Usage,  // the call's words are off
  Cancelled,
  FileNotFound,  // an input file or folder is missing
  FileUnreadable,
  FileUnwritable,       // the output cannot be written: folder missing, read-only, disk full
  OutputExists,         // the output is there and --force was not given
  ArchiveInvalid,       // not a zip, truncated, malformed
  ArchiveFormat,        // a zip, but no exported program, or of a version that is not read
  WeightsMissing,       // a weight's record is absent
  WeightsTooShort,      // a record is shorter than its tensor's shape
  GraphInvalid,         // the program contradicts itself
  ProgramInvalid,       // a .pte that cannot be read
  CaseInvalid,          // a case folder that cannot be used
  OperatorUnknown,      // no schema is known for the operator
  OperatorUnsupported,  // known, but no lowering exists
  DtypeUnsupported,
  ShapeUnsupported,     // rank, dynamic size, layout
  MutationUnsupported,  // state, aliasing that is not supported
  TrainingMode,
  BackendUnknown,
  BackendUnavailable,  // known, but not here
  BackendWrongEngine,  // known, but another engine lowers to it
  OptionUnknown,
  OptionInvalid,
  OptionIdle,  // a warning: what was set has no effect beside the other options
  ProfileInvalid,
  WeightsKept,    // a warning: weights were not quantised, or not as the program says
  RepeatDiffers,  // what is repeated from a record is no longer what was recorded
  CatalogueInvalid,
  VerifyLoadFailed,
  VerifyMismatch,
  RunCrashed,        // the child process that ran the program died
  NodeNotDelegated,  // information: why a node stays outside the delegate
};

struct CodeInfo {
  Code code;
  const char* id;  // stable text id, for JSON and logs
  ExitCode exit;   // what the command line returns when it is the error that ended the work
  const char* meaning;
};
const CodeInfo& codeInfo(Code code);

// Where in the user's program: all fields may be empty.
struct Origin {
  std::string node;        // name of the node in the archive
  std::string op;          // "aten.sort.default"
  std::string sourceFile;  // of the innermost recorded frame outside PyTorch's own files
  int sourceLine = 0;      // 0: unknown
  std::string sourceText;  // the line itself, as the archive recorded it
  std::string modulePath;  // "layer1.0.conv2"
  std::string moduleType;  // "torch.nn.modules.conv.Conv2d"

  bool empty() const { return node.empty() && op.empty() && sourceFile.empty() && modulePath.empty(); }
};

struct Diagnostic {
  Code code = Code::Fault;
  Severity severity = Severity::Error;
  std::string message;  // one sentence
  Origin where;
  std::string why;                 // may be empty
  std::vector<std::string> fixes;  // what to do, each an imperative sentence; the most useful first
  int occurrences = 1;

  // "error: MESSAGE (operator aten.sort.default; model.py:12 `x.sort()`; module head.pool). WHY. Try: FIX.
  // [operator.unsupported]"
  std::string text() const;
};

// The one exception type of the exporter.
class ExportError : public std::exception {
 public:
  explicit ExportError(Diagnostic diagnostic);
  ExportError(Code code, std::string message, std::vector<std::string> fixes = {});
  const Diagnostic& diagnostic() const { return diagnostic_; }
  ExitCode exitCode() const { return codeInfo(diagnostic_.code).exit; }
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  Diagnostic diagnostic_;
  std::string what_;
};

// Throws ExportError(Code::Fault) where an invariant of ours does not hold.
void check(bool holds, std::string_view what);

// Collects warnings and information. Equal ones (code, message, operator) are counted, not repeated. Thread-safe.
class DiagnosticSink {
 public:
  virtual ~DiagnosticSink() = default;
  void report(Diagnostic diagnostic);
  std::vector<Diagnostic> all() const;

 protected:
  // Called once for each new diagnostic, outside the lock.
  virtual void added(const Diagnostic&) {}

 private:
  mutable std::mutex mutex_;
  std::vector<Diagnostic> list_;
};

}  // namespace exportdeck
