// What is in a .pt2, as `exportdeck inspect --json` tells it.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace exportdeck::gui {

struct ValueSummary {
  QString name;
  QString type;  // "float32 [1, 3, s0]", or the kind where it is no tensor
};

struct OperatorCount {
  QString name;
  int count = 0;
};

// A size that changes between calls.
struct SizeSummary {
  QString symbol;
  qint64 lower = 0;
  std::optional<qint64> upper;  // none: the model states no limit
  QStringList inputs;           // "x dim 0"; empty: it depends on data

  QString range() const;  // "2 to 16", "2 or more"
};

// What the largest sizes cost, in bytes; nothing where a size has no limit.
struct BoundBytes {
  std::optional<qint64> inputs, outputs, largest;
  QString largestValue;

  static BoundBytes fromJson(const QJsonObject& json);  // of `exportdeck inspect`
};

struct SourceSummary {
  QString path;
  QString kind;  // "pt2" or "pte"
  qint64 bytes = 0;
  QString torchVersion, schema;
  QList<ValueSummary> inputs, outputs;
  QList<SizeSummary> sizes;
  BoundBytes boundBytes;
  qint64 parameters = 0, parameterBytes = 0;
  QList<OperatorCount> operators;  // the most frequent first
  int nodes = 0;

  static SourceSummary fromJson(const QJsonObject& json);
};

}  // namespace exportdeck::gui
