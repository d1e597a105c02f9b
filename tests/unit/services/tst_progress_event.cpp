// The lines of `--progress json`, and diagnostics read back.
#include <QTest>

#include "services/progress_event.h"

using namespace exportdeck;
using namespace exportdeck::services;
using nlohmann::json;

namespace {

template <typename Event>
Event parsed(std::string_view line) {
  const auto event = parseProgressLine(line);
  if (!event || !std::holds_alternative<Event>(*event)) throw std::runtime_error("not the event that was expected");
  return std::get<Event>(*event);
}

}  // namespace

class TestProgressEvent : public QObject {
  Q_OBJECT

 private slots:
  void readsEvents() {
    QCOMPARE(parsed<PlanEvent>("{\"v\":1,\"event\":\"plan\",\"stages\":[\"read\",\"write\"]}").stages,
             (QStringList{"read", "write"}));
    const auto started = parsed<StageEvent>("{\"v\":1,\"event\":\"started\",\"stage\":\"read\",\"t\":0.1}");
    QVERIFY(started.kind == StageEvent::Kind::Started);
    QCOMPARE(started.stage, QString("read"));
    const auto advanced =
        parsed<StageEvent>("{\"v\":1,\"event\":\"advanced\",\"stage\":\"write\",\"done\":5,\"total\":5000000000}");
    QVERIFY(advanced.kind == StageEvent::Kind::Advanced);
    QCOMPARE(advanced.done, 5u);
    QCOMPARE(advanced.total, 5000000000u);
    const auto finished = parsed<StageEvent>("{\"v\":1,\"event\":\"finished\",\"stage\":\"write\",\"elapsed\":0.25}\n");
    QVERIFY(finished.kind == StageEvent::Kind::Finished);
    QCOMPARE(finished.seconds, 0.25);
    const auto log = parsed<LogEvent>("{\"v\":1,\"event\":\"log\",\"level\":\"warning\",\"text\":\"hm\"}");
    QVERIFY(log.level == LogLevel::Warning);
    QCOMPARE(log.text, QString("hm"));
  }

  void otherLinesAreLogs() {
    for (const char* line :
         {"I 00:00 a library speaks", "{\"a\":1}", "{\"v\":2,\"event\":\"plan\"}", "[1]", "{", "\xFF\xFE"}) {
      QVERIFY2(parsed<LogEvent>(line).level == LogLevel::Info, line);
    }
    QVERIFY(!parseProgressLine("").has_value());
    QVERIFY(!parseProgressLine("  \r").has_value());
    QVERIFY(!parseProgressLine("{\"v\":1,\"event\":\"dance\"}").has_value());
  }

  // Fields that are missing or of another kind are empty, never a crash.
  void survivesWrongKinds() {
    QCOMPARE(parsed<PlanEvent>("{\"v\":1,\"event\":\"plan\",\"stages\":[1,null]}").stages, QStringList());
    QCOMPARE(parsed<PlanEvent>("{\"v\":1,\"event\":\"plan\",\"stages\":7}").stages, QStringList());
    QCOMPARE(parsed<StageEvent>("{\"v\":1,\"event\":\"advanced\",\"stage\":3,\"done\":-1,\"total\":\"x\"}").done, 0u);
    QVERIFY(parsed<DiagnosticEvent>("{\"v\":1,\"event\":\"diagnostic\"}").diagnostic.code == Code::Fault);
    QVERIFY(diagnosticFromJson(json::array()).code == Code::Fault);
    QCOMPARE(diagnosticFromJson({{"where", {{"source_line", "x"}}}, {"fixes", {1}}}).where.sourceLine, 0);
  }

  void readsDiagnostics() {
    const Diagnostic read = diagnosticFromJson({{"code", "operator.unsupported"},
                                                {"severity", "warning"},
                                                {"message", "m"},
                                                {"why", "w"},
                                                {"fixes", {"a", "b"}},
                                                {"occurrences", 3},
                                                {"where",
                                                 {{"node", "n"},
                                                  {"op", "aten.sort.default"},
                                                  {"source_file", "m.py"},
                                                  {"source_line", 12},
                                                  {"source_text", "x.sort()"},
                                                  {"module_path", "head"},
                                                  {"module_type", "Head"}}}});
    QVERIFY(read.code == Code::OperatorUnsupported);
    QVERIFY(read.severity == Severity::Warning);
    QCOMPARE(read.message, std::string("m"));
    QCOMPARE(read.why, std::string("w"));
    QVERIFY((read.fixes == std::vector<std::string>{"a", "b"}));
    QCOMPARE(read.occurrences, 3);
    QCOMPARE(read.where.op, std::string("aten.sort.default"));
    QCOMPARE(read.where.sourceLine, 12);
    QCOMPARE(read.where.moduleType, std::string("Head"));
  }

  // The text ids are what crosses the process boundary: each code must come back as itself.
  void everyCodeComesBack() {
    for (int i = 0; i <= static_cast<int>(Code::NodeNotDelegated); ++i) {
      const Code code = static_cast<Code>(i);
      QVERIFY2(diagnosticFromJson({{"code", codeInfo(code).id}}).code == code, codeInfo(code).id);
    }
  }
};

QTEST_APPLESS_MAIN(TestProgressEvent)
#include "tst_progress_event.moc"
