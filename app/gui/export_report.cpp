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

// The line may be one of PyTorch's own modules: only the module path says where in the user's model it is.
QString place(const QString& module, const QString& line) {
  if (module.isEmpty() || line.isEmpty()) return module + line;
  return QStringLiteral("%1, %2").arg(module, line);
}

Origin originOf(const QJsonObject& json) {
  const auto text = [&](const char* key) { return json[QLatin1String(key)].toString().toStdString(); };
  return {text("node"),        text("op"),          text("source_file"), json[QLatin1String("source_line")].toInt(),
          text("source_text"), text("module_path"), text("module_type")};
}

LeftOut leftOutOf(const QJsonObject& json) {
  const QJsonObject where = json[QLatin1String("where")].toObject();
  LeftOut item;
  item.op = json[QLatin1String("op")].toString();
  item.count = json[QLatin1String("count")].toInt();
  item.reason = capitalised(json[QLatin1String("reason")].toString());
  item.fix = capitalised(json[QLatin1String("fix")].toString());
  item.origin = originOf(where);
  item.multiplyAdds = json[QLatin1String("multiply_adds")].toDouble();
  item.bytes = json[QLatin1String("bytes")].toDouble();
  return item;
}

QList<CoverageGroup> groupsOf(const QJsonArray& array, QLatin1String nameKey) {
  QList<CoverageGroup> groups;
  for (const QJsonValue& item : array) {
    const QJsonObject json = item.toObject();
    groups.append({json[nameKey].toString(), json[QLatin1String("total")].toInt(),
                   json[QLatin1String("delegated")].toInt(), json[QLatin1String("multiply_adds")].toDouble(),
                   json[QLatin1String("bytes")].toDouble()});
  }
  return groups;
}

ProgramPlan planOf(const QJsonObject& plan, const QJsonObject& sizes) {
  ProgramPlan out;
  out.arena = plan[QLatin1String("arena_bytes")].toInteger();
  out.lowerBound = plan[QLatin1String("lower_bound")].toInteger();
  out.instructions = plan[QLatin1String("instructions")].toInt();
  for (const QJsonValue& kernel : plan[QLatin1String("kernels")].toArray()) out.kernels << kernel.toString();
  out.program = sizes[QLatin1String("program")].toInteger();
  out.constants = sizes[QLatin1String("constants")].toInteger();
  out.delegates = sizes[QLatin1String("delegates")].toInteger();
  out.namedData = sizes[QLatin1String("named_data")].toInteger();
  out.total = sizes[QLatin1String("total")].toInteger();
  return out;
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

std::optional<QuantisedWeights> quantisedOf(const QJsonObject& json) {
  QuantisedWeights out;
  out.count = json[QLatin1String("quantised")].toInt();
  if (out.count == 0) return std::nullopt;
  out.bytesBefore = json[QLatin1String("bytes_before")].toInteger();
  out.bytesAfter = json[QLatin1String("bytes_after")].toInteger();
  const QJsonObject error = json[QLatin1String("error")].toObject();
  if (error[QLatin1String("snr_db")].isDouble()) out.signalToNoise = error[QLatin1String("snr_db")].toDouble();
  return out;
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
  report.resultBytes = coverage[QLatin1String("bytes")].toDouble();
  report.operators = groupsOf(coverage[QLatin1String("by_operator")].toArray(), QLatin1String("op"));
  report.modules = groupsOf(coverage[QLatin1String("by_module_path")].toArray(), QLatin1String("module"));
  report.plan = planOf(json[QLatin1String("plan")].toObject(), json[QLatin1String("sizes")].toObject());
  std::stable_sort(report.leftOut.begin(), report.leftOut.end(),
                   [](const LeftOut& a, const LeftOut& b) { return a.multiplyAdds > b.multiplyAdds; });
  if (json[QLatin1String("verification")].isObject())
    report.verification = verificationOf(json[QLatin1String("verification")].toObject());
  report.quantised = quantisedOf(json[QLatin1String("quantisation")].toObject());
  const QJsonObject external = json[QLatin1String("external")].toObject();
  report.dataPath = external[QLatin1String("path")].toString();
  report.dataBytes = external[QLatin1String("bytes")].toInteger();
  return report;
}

std::optional<Diagnostic> diagnosticIn(const QJsonObject& object, const QString& key) {
  if (!object[key].isObject()) return {};
  const QByteArray text = QJsonDocument(object[key].toObject()).toJson(QJsonDocument::Compact);
  return services::diagnosticFromJson(nlohmann::json::parse(text.toStdString()));
}

QString lineText(const Origin& where) {
  const QString name = QFileInfo(QString::fromStdString(where.sourceFile)).fileName();
  return name.isEmpty() || where.sourceLine <= 0 ? name : QStringLiteral("%1:%2").arg(name).arg(where.sourceLine);
}

QString placeText(const Origin& where) {
  const QString known = place(QString::fromStdString(where.modulePath), lineText(where));
  return known.isEmpty() ? QString::fromStdString(where.node) : known;
}

}  // namespace exportdeck::gui
