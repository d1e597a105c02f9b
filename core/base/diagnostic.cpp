#include "base/diagnostic.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace exportdeck {

namespace {

constexpr CodeInfo kCodes[] = {
    {Code::Fault, "internal.fault", ExitCode::Fault, "an invariant of ExportDeck does not hold"},
    {Code::Usage, "usage", ExitCode::Usage, "the words of the call are off"},
    {Code::Cancelled, "cancelled", ExitCode::Cancelled, "the work was cancelled"},
    {Code::FileNotFound, "file.not-found", ExitCode::BadInput, "an input file or folder is missing"},
    {Code::FileUnreadable, "file.unreadable", ExitCode::InputOutput, "a file cannot be read"},
    {Code::FileUnwritable, "file.unwritable", ExitCode::InputOutput, "a file cannot be written"},
    {Code::OutputExists, "file.exists", ExitCode::InputOutput, "the output exists and was to be kept"},
    {Code::ArchiveInvalid, "archive.invalid", ExitCode::BadInput, "the archive is damaged or none"},
    {Code::ArchiveFormat, "archive.format", ExitCode::BadInput, "the archive holds no program that is read here"},
    {Code::WeightsMissing, "weights.missing", ExitCode::BadInput, "a weight's record is absent"},
    {Code::WeightsTooShort, "weights.too-short", ExitCode::BadInput, "a weight's record is shorter than its tensor"},
    {Code::GraphInvalid, "graph.invalid", ExitCode::BadInput, "the program contradicts itself"},
    {Code::ProgramInvalid, "program.invalid", ExitCode::BadInput, "the .pte cannot be read"},
    {Code::CaseInvalid, "case.invalid", ExitCode::BadInput, "the case folder cannot be used"},
    {Code::OperatorUnknown, "operator.unknown", ExitCode::Unsupported, "nothing is known about the operator"},
    {Code::OperatorUnsupported, "operator.unsupported", ExitCode::Unsupported, "the operator has no lowering"},
    {Code::DtypeUnsupported, "dtype.unsupported", ExitCode::Unsupported, "the element type is not supported there"},
    {Code::ShapeUnsupported, "shape.unsupported", ExitCode::Unsupported, "the shape or layout is not supported there"},
    {Code::MutationUnsupported, "mutation.unsupported", ExitCode::Unsupported, "the in-place write is not supported"},
    {Code::TrainingMode, "training-mode", ExitCode::Unsupported, "the program was exported in training mode"},
    {Code::BackendUnknown, "backend.unknown", ExitCode::Unsupported, "no backend has this id"},
    {Code::BackendUnavailable, "backend.unavailable", ExitCode::Unsupported, "the backend does not work here"},
    {Code::BackendWrongEngine, "backend.engine", ExitCode::Unsupported, "another engine lowers to the backend"},
    {Code::OptionUnknown, "option.unknown", ExitCode::Unsupported, "the backend has no such option"},
    {Code::OptionInvalid, "option.invalid", ExitCode::Usage, "the value does not fit the option"},
    {Code::OptionIdle, "option.no-effect", ExitCode::Done, "the option has no effect beside the others"},
    {Code::ProfileInvalid, "profile.invalid", ExitCode::BadInput, "the profile cannot be used as it is"},
    {Code::WeightsKept, "weights.kept", ExitCode::Done, "weights are stored as they were"},
    {Code::RepeatDiffers, "repeat.differs", ExitCode::BadInput, "a repeated export is not what was recorded"},
    {Code::CatalogueInvalid, "catalogue.invalid", ExitCode::Fault, "a catalogue entry is malformed"},
    {Code::VerifyLoadFailed, "verify.load-failed", ExitCode::CheckedAndWrong, "the program does not load or run"},
    {Code::VerifyMismatch, "verify.mismatch", ExitCode::CheckedAndWrong, "the program's outputs are wrong"},
    {Code::RunCrashed, "run.crashed", ExitCode::CheckedAndWrong, "the process that ran the program died"},
    {Code::NodeNotDelegated, "node.not-delegated", ExitCode::Done, "a node stays outside the delegate"},
};

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      break;
  }
  return "error";
}

std::string whereText(const Origin& where) {
  std::vector<std::string> parts;
  if (!where.op.empty()) parts.push_back(concat("operator ", where.op));
  if (!where.sourceFile.empty()) {
    std::string place = concat(where.sourceFile, ":", where.sourceLine);
    if (!where.sourceText.empty()) place += concat(" `", where.sourceText, "`");
    parts.push_back(std::move(place));
  }
  if (!where.modulePath.empty()) parts.push_back(concat("module ", where.modulePath));
  if (parts.empty() && !where.node.empty()) parts.push_back(concat("node ", where.node));
  return join(parts, "; ");
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.' && text.back() != '?' && text.back() != '!') text += '.';
  return text;
}

}  // namespace

const CodeInfo& codeInfo(Code code) {
  const auto found =
      std::find_if(std::begin(kCodes), std::end(kCodes), [&](const CodeInfo& c) { return c.code == code; });
  return found != std::end(kCodes) ? *found : kCodes[0];
}

std::string Diagnostic::text() const {
  std::string out = concat(severityName(severity), ": ", message);
  if (const std::string place = whereText(where); !place.empty()) out += concat(" (", place, ")");
  out = sentence(std::move(out));
  if (!why.empty()) out += " " + sentence(why);
  if (!fixes.empty()) out += concat(" Try: ", sentence(join(fixes, "; or: ")));
  out += concat(" [", codeInfo(code).id, "]");
  if (occurrences > 1) out += concat(" (", occurrences, " times)");
  return out;
}

ExportError::ExportError(Diagnostic diagnostic) : diagnostic_(std::move(diagnostic)), what_(diagnostic_.text()) {}

ExportError::ExportError(Code code, std::string message, std::vector<std::string> fixes)
    : ExportError(Diagnostic{code, Severity::Error, std::move(message), {}, {}, std::move(fixes)}) {}

void check(bool holds, std::string_view what) {
  if (!holds) {
    throw ExportError(Code::Fault, concat("internal fault: ", what), {"report it with the program that shows it"});
  }
}

void DiagnosticSink::report(Diagnostic diagnostic) {
  {
    const std::lock_guard lock(mutex_);
    for (Diagnostic& known : list_) {
      if (known.code == diagnostic.code && known.message == diagnostic.message &&
          known.where.op == diagnostic.where.op) {
        ++known.occurrences;
        return;
      }
    }
    list_.push_back(diagnostic);
  }
  added(diagnostic);
}

std::vector<Diagnostic> DiagnosticSink::all() const {
  const std::lock_guard lock(mutex_);
  return list_;
}

}  // namespace exportdeck
