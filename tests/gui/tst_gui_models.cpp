// Every item model of the window, under the model tester, and what each has to say.
#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QStandardItemModel>

#include "gui/backend_model.h"
#include "gui/coverage_model.h"
#include "gui/diagnostics_model.h"
#include "gui/log_model.h"
#include "gui/options_model.h"
#include "gui/source_panel.h"
#include "gui/texts.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using options::OptionSpec;
using options::OptionType;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

OptionSpec spec(const char* key, OptionType type, options::OptionValue fallback) {
  OptionSpec made;
  made.key = key;
  made.type = type;
  made.fallback = std::move(fallback);
  made.title = std::string("Title of ") + key;
  made.meaning = std::string("What ") + key + " means.";
  return made;
}

options::OptionSet allTypes() {
  OptionSpec count = spec("count", OptionType::Int, int64_t{4});
  count.minimum = 1;
  count.maximum = 64;
  OptionSpec mode = spec("mode", OptionType::Enum, std::string("fast"));
  mode.choices = {"fast", "small"};
  mode.labels = {"Fast", "Small"};
  return options::OptionSet({spec("flag", OptionType::Bool, true), count, spec("ratio", OptionType::Float, 0.5),
                             spec("name", OptionType::String, std::string()), mode,
                             spec("items", OptionType::List, std::vector<std::string>{})});
}

options::BackendEntry backend(const char* id, const char* engine) {
  options::BackendEntry entry;
  entry.id = id;
  entry.title = std::string("Backend ") + id;
  entry.summary = "A summary";
  entry.engine = engine;
  return entry;
}

}  // namespace

class TstGuiModels : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }

  void optionValues();
  void optionsFiltered();
  void backendsInOrder();
  void everyBackendOfTheCatalogue();
  void logBatchesAndLimit();
  void logFiltered();
  void diagnosticsCounted();
  void leftOut();
  void sourceContents();
  void numbers();

 private:
  std::unique_ptr<Theme> theme_;
};

void TstGuiModels::optionValues() {
  OptionsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setOptions(allTypes());
  QCOMPARE(model.rowCount(), 6);
  const auto value = [&](int row) { return model.index(row, OptionsModel::ValueColumn); };
  const auto set = [&](int row, const QVariant& to) { return model.setData(value(row), to, Qt::EditRole); };

  QVERIFY(set(0, false));
  QVERIFY(set(1, "8"));
  QVERIFY(set(2, "0.25"));
  QVERIFY(set(3, "a name"));
  QVERIFY(set(4, "small"));
  QVERIFY(set(5, "a,b"));
  QCOMPARE(model.settings(),
           QStringList({"flag=false", "count=8", "ratio=0.25", "name=a name", "mode=small", "items=a,b"}));
  QCOMPARE(value(4).data().toString(), "Small");
  QCOMPARE(value(0).data().toString(), "off");
  QCOMPARE(model.changedCount(), 6);

  // Wrong words stay in the row with the reason; the good value stays in the set.
  for (const char* words : {"65", "0", "eight", "", "1e3"}) {
    QVERIFY(set(1, words));
    QCOMPARE(model.invalidCount(), 1);
    QCOMPARE(model.firstInvalidRow(), 1);
    QCOMPARE(value(1).data().toString(), words);
    QVERIFY2(!value(1).data(OptionsModel::ReasonRole).toString().isEmpty(), words);
    QVERIFY(!value(1).data(OptionsModel::ReasonRole).toString().contains("\"count\""));
    QCOMPARE(model.options().integer("count"), 8);
  }
  QVERIFY(value(1).data(Qt::AccessibleTextRole).toString().contains("invalid"));
  QVERIFY(set(1, "4"));
  QCOMPARE(model.invalidCount(), 0);
  QVERIFY2(!value(1).data(OptionsModel::ChangedRole).toBool(), "the default typed by hand is no change");

  QVERIFY(model.setData(value(2), {}, OptionsModel::ResetRole));
  QCOMPARE(value(2).data().toString(), "0.5");
  set(1, "wrong");
  model.resetAll();
  QCOMPARE(model.changedCount(), 0);
  QCOMPARE(model.invalidCount(), 0);
  QVERIFY(model.settings().isEmpty());
  QVERIFY(!model.setData(model.index(0, OptionsModel::MeaningColumn), "x", Qt::EditRole));
  QVERIFY(!(model.flags(model.index(0, OptionsModel::MeaningColumn)) & Qt::ItemIsEditable));
}

void TstGuiModels::optionsFiltered() {
  OptionsModel model;
  OptionsFilter filter;
  QAbstractItemModelTester tester(&filter, kFatal);
  filter.setSourceModel(&model);
  model.setOptions(allTypes());
  filter.setText("RATIO");
  QCOMPARE(filter.rowCount(), 1);
  filter.setText("means");
  QCOMPARE(filter.rowCount(), 6);
  filter.setText("no such words");
  QCOMPARE(filter.rowCount(), 0);
  filter.setText("");
  filter.setOnlyChanged(true);
  QCOMPARE(filter.rowCount(), 0);
  model.setData(model.index(1, OptionsModel::ValueColumn), "9", Qt::EditRole);
  filter.setOnlyChanged(true);
  QCOMPARE(filter.rowCount(), 1);
  // The row that is being edited stays, also when it is back at its default.
  model.setData(model.index(1, OptionsModel::ValueColumn), "4", Qt::EditRole);
  QCOMPARE(filter.rowCount(), 1);
}

void TstGuiModels::backendsInOrder() {
  const options::Catalogue catalogue(
      {backend("aaa", "python"), backend("bbb", "native"), backend("ccc", "python"), backend("ddd", "native")});
  BackendModel model(catalogue);
  QAbstractItemModelTester tester(&model, kFatal);
  QCOMPARE(model.rowCount(), 5);
  QStringList ids;
  for (int row = 0; row < model.rowCount(); ++row) ids << model.index(row).data(BackendModel::IdRole).toString();
  QCOMPARE(ids, QStringList({"bbb", "ddd", "", "aaa", "ccc"}));
  QVERIFY(model.index(2).data(BackendModel::SeparatorRole).toBool());
  QVERIFY(model.flags(model.index(0)) & Qt::ItemIsEnabled);
  QVERIFY(!(model.flags(model.index(3)) & Qt::ItemIsEnabled));
  QVERIFY(!model.index(3).data(Qt::ToolTipRole).toString().isEmpty());
  QCOMPARE(model.rowOf("ccc"), 4);
  QCOMPARE(model.rowOf("zzz"), -1);
  QCOMPARE(model.firstAvailable(), 0);
}

void TstGuiModels::everyBackendOfTheCatalogue() {
  BackendCombo combo(options::Catalogue::builtIn());
  QCOMPARE(combo.backend(), "xnnpack");
  QVERIFY(combo.isUsable());
  for (const options::BackendEntry& entry : options::Catalogue::builtIn().entries()) {
    QVERIFY2(combo.setBackend(QString::fromStdString(entry.id)), entry.id.c_str());
    QCOMPARE(combo.backend(), QString::fromStdString(entry.id));
    QVERIFY2(!combo.note().isEmpty(), entry.id.c_str());
  }
}

void TstGuiModels::logBatchesAndLimit() {
  LogModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.append(LogLevel::Info, "first\nsecond");
  QCOMPARE(model.rowCount(), 0);
  QTRY_COMPARE(model.rowCount(), 2);
  QCOMPARE(model.index(1).data().toString(), "second");
  QVERIFY(model.index(1).data(LogModel::LineRole).toString().contains("info"));
  for (int i = 0; i < LogModel::kMaxLines; ++i) model.append(LogLevel::Debug, QString::number(i));
  model.flush();
  QCOMPARE(model.rowCount(), LogModel::kMaxLines);
  model.append(LogLevel::Debug, "newest");
  model.flush();
  QCOMPARE(model.rowCount(), LogModel::kMaxLines);
  QCOMPARE(model.index(0).data().toString(), "1");
  QCOMPARE(model.index(LogModel::kMaxLines - 1).data().toString(), "newest");
  model.clear();
  QCOMPARE(model.rowCount(), 0);
}

void TstGuiModels::logFiltered() {
  LogModel model;
  LogFilter filter;
  QAbstractItemModelTester tester(&filter, kFatal);
  filter.setSourceModel(&model);
  model.append(LogLevel::Debug, "small talk");
  model.append(LogLevel::Warning, "mind the gap");
  model.append(LogLevel::Error, "Gap too wide");
  model.flush();
  QCOMPARE(filter.rowCount(), 3);
  filter.setLevel(LogLevel::Warning);
  QCOMPARE(filter.rowCount(), 2);
  filter.setText("gap T");
  QCOMPARE(filter.rowCount(), 1);
  filter.setText("");
  model.append(LogLevel::Info, "not shown");
  model.append(LogLevel::Error, "shown");
  model.flush();
  QCOMPARE(filter.rowCount(), 3);
}

void TstGuiModels::diagnosticsCounted() {
  DiagnosticsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  Diagnostic warning{Code::ShapeUnsupported, Severity::Warning, "The shape is odd", {}, {}, {}};
  warning.where.op = "aten.add.Tensor";
  warning.where.sourceFile = "/home/anna/net.py";
  warning.where.sourceLine = 7;
  model.add(warning);
  model.add(warning);
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.index(0, DiagnosticsModel::CountColumn).data().toString(), "× 2");
  QCOMPARE(model.index(0, DiagnosticsModel::WhereColumn).data().toString(), "net.py:7");
  QCOMPARE(model.index(0, DiagnosticsModel::SeverityColumn).data().toString(), "Warning");
  QVERIFY(!model.index(0, DiagnosticsModel::SeverityColumn).data(Qt::DecorationRole).value<QIcon>().isNull());
  warning.where.op = "aten.mul.Tensor";
  model.add(warning);
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.count(Severity::Warning), 2);
  QCOMPARE(model.count(Severity::Error), 0);
  model.clear();
  QCOMPARE(model.rowCount(), 0);
}

void TstGuiModels::leftOut() {
  const QJsonObject where{{"source_file", "/a/net.py"}, {"source_line", 3}};
  const QJsonObject small{{"op", "aten.a"}, {"count", 1},     {"reason", "r"},
                          {"fix", "f"},     {"where", where}, {"multiply_adds", 5}};
  const QJsonObject large{{"op", "aten.b"}, {"count", 2}, {"reason", "r"}, {"multiply_adds", 50}};
  const QJsonObject coverage{{"nodes", 9}, {"delegated", 6}, {"not_delegated", QJsonArray{small, large}}};
  const ExportReport report = ExportReport::fromJson({{"coverage", coverage}, {"verification", QJsonValue::Null}});
  QVERIFY(!report.verification);
  CoverageModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setReport(report);
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.index(0, CoverageModel::NameColumn).data().toString(), "aten.b");
  QCOMPARE(model.index(1, CoverageModel::LineColumn).data().toString(), "net.py:3");
}

void TstGuiModels::sourceContents() {
  SourcePanel panel;
  QAbstractItemModelTester tester(&panel.contents(), kFatal);
  const QJsonObject input{{"name", "x"}, {"kind", "tensor"}, {"dtype", "float32"}, {"shape", QJsonArray{1, "s0"}}};
  const QJsonObject flag{{"name", "n"}, {"kind", "int"}};
  panel.showSummary(SourceSummary::fromJson(
      {{"inputs", QJsonArray{input, flag}}, {"operators", QJsonObject{{"aten.a", 1}, {"aten.b", 3}}}}));
  const QAbstractItemModel& model = panel.contents();
  QCOMPARE(model.rowCount(), 3);
  const QModelIndex inputs = model.index(0, 0), operators = model.index(2, 0);
  QCOMPARE(model.index(0, 0, inputs).data(Qt::AccessibleTextRole).toString(), "x, float32 [1, s0]");
  QCOMPARE(model.index(1, 0, inputs).data(Qt::AccessibleTextRole).toString(), "n, int");
  QCOMPARE(model.index(0, 0, operators).data().toString(), "aten.b");
}

void TstGuiModels::numbers() {
  QCOMPARE(groupedNumber(134515008), u"134\u2009515\u2009008"_s);
  QCOMPARE(groupedNumber(-1234), u"-1\u2009234"_s);
  QCOMPARE(groupedNumber(999), u"999"_s);
  QCOMPARE(byteSize(512), u"512\u2009bytes"_s);
  QCOMPARE(byteSize(541'999'000), u"542.0\u2009MB"_s);
  QCOMPARE(byteSize(999'999), u"1.0\u2009MB"_s);
  QCOMPARE(duration(0.0001), u"<1\u2009ms"_s);
  QCOMPARE(duration(0.0042), u"4\u2009ms"_s);
  QCOMPARE(duration(0.34), u"0.34\u2009s"_s);
  QCOMPARE(duration(125), u"2 min 05 s"_s);
  QCOMPARE(percent(1, 3), u"33.3\u2009%"_s);
  QVERIFY2(!percent(99'999, 100'000).startsWith("100"), "what is not all must not read as all");
  QCOMPARE(percent(0, 0), u"0\u2009%"_s);
}

QTEST_MAIN(TstGuiModels)
#include "tst_gui_models.moc"
