#include "gui/export_report.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "gui/texts.h"
#include "services/progress_event.h"

namespace exportdeck::gui {
namespace {

QString sourceLine(const QString& file, int line) {
  if (file.isEmpty()) return {};
  const QString name = QFileInfo(file).fileName();
  return line > 0 ? QStringLiteral("%1:%2").arg(name).arg(line) : name;
}

// The line may be one of PyTorch's own modules: only the module path says where in the user's model it is.
QString place(const QString& module, const QString& line) {
  if (module.isEmpty() || line.isEmpty()) return module + line;
  return QStringLiteral("%1, %2").arg(module, line);
}

LeftOut leftOutOf(const QJsonObject& json) {
  const QJsonObject where = json[QLatin1String("where")].toObject();
  LeftOut item;
  item.op = json[QLatin1String("op")].toString();
  item.count = json[QLatin1String("count")].toInt();
  item.reason = capitalised(json[QLatin1String("reason")].toString());
  item.fix = capitalised(json[QLatin1String("fix")].toString());
  item.where =
      place(where[QLatin1String("module_path")].toString(),
            sourceLine(where[QLatin1String("source_file")].toString(), where[QLatin1String("source_line")].toInt()));
  item.multiplyAdds = json[QLatin1String("multiply_adds")].toDouble();
  return item;
}

Verification verificationOf(const QJsonObject& json) {
  Verification result;
  result.kind = json[QLatin1String("kind")].toString();
  result.inputs = json[QLatin1String("inputs")].toString();
  if (json[QLatin1String("match")].isBool()) result.match = json[QLatin1String("match")].toBool();
  if (json[QLatin1String("max_abs_error")].isDouble())
    result.maxAbsError = json[QLatin1String("max_abs_error")].toDouble();
  result.calls = json[QLatin1String("calls")].toInt();
  result.seconds = json[QLatin1String("seconds")].toDouble();
  return result;
}

}  // namespace

ExportReport ExportReport::fromJson(const QJsonObject& json) {
  ExportReport report;
  const QJsonObject output = json[QLatin1String("output")].toObject();
  report.path = output[QLatin1String("path")].toString();
  report.bytes = output[QLatin1String("bytes")].toInteger();
  report.backend = json[QLatin1String("backend")].toString();
  report.seconds = json[QLatin1String("seconds")].toDouble();
  const QJsonObject coverage = json[QLatin1String("coverage")].toObject();
  report.nodes = coverage[QLatin1String("nodes")].toInt();
  report.delegated = coverage[QLatin1String("delegated")].toInt();
  report.delegates = coverage[QLatin1String("delegates")].toInt();
  report.multiplyAdds = coverage[QLatin1String("multiply_adds")].toDouble();
  report.delegatedMultiplyAdds = coverage[QLatin1String("delegated_multiply_adds")].toDouble();
  for (const QJsonValue& item : coverage[QLatin1String("not_delegated")].toArray())
    report.leftOut.append(leftOutOf(item.toObject()));
  std::stable_sort(report.leftOut.begin(), report.leftOut.end(),
                   [](const LeftOut& a, const LeftOut& b) { return a.multiplyAdds > b.multiplyAdds; });
  if (json[QLatin1String("verification")].isObject())
    report.verification = verificationOf(json[QLatin1String("verification")].toObject());
  return report;
}

std::optional<Diagnostic> diagnosticIn(const QJsonObject& object, const QString& key) {
  if (!object[key].isObject()) return {};
  const QByteArray text = QJsonDocument(object[key].toObject()).toJson(QJsonDocument::Compact);
  return services::diagnosticFromJson(nlohmann::json::parse(text.toStdString()));
}

QString placeText(const Origin& where) {
  const QString known = place(QString::fromStdString(where.modulePath),
                              sourceLine(QString::fromStdString(where.sourceFile), where.sourceLine));
  return known.isEmpty() ? QString::fromStdString(where.node) : known;
}

}  // namespace exportdeck::gui
