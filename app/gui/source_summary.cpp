#include "gui/source_summary.h"

#include <QJsonArray>
#include <QObject>
#include <algorithm>

#include "gui/texts.h"

namespace exportdeck::gui {
namespace {

QList<ValueSummary> valuesOf(const QJsonArray& array) {
  QList<ValueSummary> values;
  for (const QJsonValue& item : array) {
    const QJsonObject object = item.toObject();
    QString type = object[QLatin1String("dtype")].toString();
    if (object.contains(QLatin1String("shape"))) {
      QStringList dimensions;
      for (const QJsonValue& size : object[QLatin1String("shape")].toArray()) dimensions << size.toVariant().toString();
      type += QLatin1Char(' ') + shapeText(dimensions);
    }
    if (type.isEmpty()) type = object[QLatin1String("kind")].toString();
    values.append({object[QLatin1String("name")].toString(), type});
  }
  return values;
}

std::optional<qint64> numberIn(const QJsonObject& object, QLatin1String key) {
  const QJsonValue value = object[key];
  return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

QList<SizeSummary> sizesOf(const QJsonArray& array) {
  QList<SizeSummary> sizes;
  for (const QJsonValue& item : array) {
    const QJsonObject object = item.toObject();
    QStringList inputs;
    for (const QJsonValue& place : object[QLatin1String("inputs")].toArray()) inputs << place.toString();
    sizes.append({object[QLatin1String("symbol")].toString(), numberIn(object, QLatin1String("lower")).value_or(0),
                  numberIn(object, QLatin1String("upper")), inputs});
  }
  return sizes;
}

}  // namespace

QString SizeSummary::range() const {
  return upper ? QObject::tr("%1 to %2").arg(lower).arg(*upper) : QObject::tr("%1 or more").arg(lower);
}

BoundBytes BoundBytes::fromJson(const QJsonObject& json) {
  const QJsonObject bytes = json[QLatin1String("bytes_at_bounds")].toObject();
  const QJsonObject largest = bytes[QLatin1String("largest")].toObject();
  return {numberIn(bytes, QLatin1String("inputs")), numberIn(bytes, QLatin1String("outputs")),
          numberIn(largest, QLatin1String("bytes")), largest[QLatin1String("value")].toString()};
}

SourceSummary SourceSummary::fromJson(const QJsonObject& json) {
  SourceSummary summary;
  summary.path = json[QLatin1String("path")].toString();
  summary.kind = json[QLatin1String("kind")].toString();
  summary.bytes = json[QLatin1String("bytes")].toInteger();
  summary.torchVersion = json[QLatin1String("torch_version")].toString();
  summary.schema = json[QLatin1String("schema")].toString();
  summary.inputs = valuesOf(json[QLatin1String("inputs")].toArray());
  summary.outputs = valuesOf(json[QLatin1String("outputs")].toArray());
  summary.sizes = sizesOf(json[QLatin1String("symbols")].toArray());
  summary.boundBytes = BoundBytes::fromJson(json);
  summary.parameters = json[QLatin1String("parameters")].toInteger();
  summary.parameterBytes = json[QLatin1String("parameter_bytes")].toInteger();
  summary.nodes = json[QLatin1String("nodes")].toInt();
  const QJsonObject operators = json[QLatin1String("operators")].toObject();
  for (auto it = operators.begin(); it != operators.end(); ++it)
    summary.operators.append({it.key(), it.value().toInt()});
  std::stable_sort(summary.operators.begin(), summary.operators.end(),
                   [](const OperatorCount& a, const OperatorCount& b) { return a.count > b.count; });
  return summary;
}

}  // namespace exportdeck::gui
