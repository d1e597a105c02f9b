// What is in a .pt2, as `exportdeck inspect --json` tells it.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>

namespace exportdeck::gui {

struct ValueSummary {
  QString name;
  QString type;  // "float32 [1, 3, s0]", or the kind where it is no tensor
};

struct OperatorCount {
  QString name;
  int count = 0;
};

struct SourceSummary {
  QString path;
  QString kind;  // "pt2" or "pte"
  qint64 bytes = 0;
  QString torchVersion, schema;
  QList<ValueSummary> inputs, outputs;
  qint64 parameters = 0, parameterBytes = 0;
  QList<OperatorCount> operators;  // the most frequent first
  int nodes = 0;

  static SourceSummary fromJson(const QJsonObject& json);
};

}  // namespace exportdeck::gui
