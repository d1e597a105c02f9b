// What an export came to: the report of `exportdeck export --json`.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>
#include <optional>

#include "base/diagnostic.h"

namespace exportdeck::gui {

// Operators of one kind, left out of the delegate for one reason.
struct LeftOut {
  QString op;
  int count = 0;
  QString reason;
  QString fix;
  Origin origin;
  double multiplyAdds = 0.0, bytes = 0.0;
};

// Nodes counted together: those of an operator, or of a module.
struct CoverageGroup {
  QString name;
  int total = 0, delegated = 0;
  double multiplyAdds = 0.0, bytes = 0.0;
};

// The memory plan and what the file is made of; bytes.
struct ProgramPlan {
  qint64 arena = 0, lowerBound = 0;
  int instructions = 0;
  QStringList kernels;
  qint64 program = 0, constants = 0, delegates = 0, namedData = 0, total = 0;
};

struct Verification {
  QString kind, inputs;
  std::optional<bool> match;  // empty: nothing to compare with
  std::optional<double> maxAbsError;
  int calls = 0;
  double seconds = 0.0;
};

struct QuantisedWeights {
  int count = 0;
  qint64 bytesBefore = 0, bytesAfter = 0;
  std::optional<double> signalToNoise;  // dB, beside the program in floats; empty: not measured, or no difference
};

struct ExportReport {
  QString path;
  QString dataPath;  // the file of constants; empty: there is none
  qint64 dataBytes = 0;
  QString backend;
  qint64 bytes = 0;
  double seconds = 0.0;
  int nodes = 0, delegated = 0, delegates = 0;
  double multiplyAdds = 0.0, delegatedMultiplyAdds = 0.0, resultBytes = 0.0;
  QList<LeftOut> leftOut;  // the costliest first
  QList<CoverageGroup> operators, modules;
  ProgramPlan plan;
  std::optional<Verification> verification;
  std::optional<QuantisedWeights> quantised;

  static ExportReport fromJson(const QJsonObject& json);
};

// The diagnostic in a report's "error" or a list's item; empty where there is none.
std::optional<Diagnostic> diagnosticIn(const QJsonObject& object, const QString& key);
// "model.py:12", without the file's folders; "" where it is not known.
QString lineText(const Origin& where);
// "head.pool, model.py:12": the module and the source line, as much as is known; without the folders of the file.
QString placeText(const Origin& where);

}  // namespace exportdeck::gui
