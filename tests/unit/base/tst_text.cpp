#include <QTest>

#include "base/diagnostic.h"
#include "base/text.h"

using namespace exportdeck;

class TestText : public QObject {
  Q_OBJECT
 private slots:
  void concatTakesEachKindAsWhatItIs() {
    const char* pointer = "text";
    QCOMPARE(concat("a", 'b', std::string("c"), 1, -2L, 0.5, true, pointer), std::string("abc1-20.5truetext"));
  }

  void splitKeepsEmptyParts() {
    QCOMPARE(split("a,,b,", ','), (std::vector<std::string>{"a", "", "b", ""}));
    QCOMPARE(split("", ','), (std::vector<std::string>{""}));
  }

  void nearestMatchFindsTyposOnly() {
    const std::vector<std::string> ids{"portable", "xnnpack", "vulkan"};
    QCOMPARE(nearestMatch("xnpack", ids), std::string("xnnpack"));
    QCOMPARE(nearestMatch("XNNPACKK", ids), std::string());
    QCOMPARE(nearestMatch("something-else", ids), std::string());
  }

  void bytesHaveUnits() {
    QCOMPARE(formatBytes(1), std::string("1 byte"));
    QCOMPARE(formatBytes(999), std::string("999 bytes"));
    QCOMPARE(formatBytes(1000), std::string("1.0 kB"));
    QCOMPARE(formatBytes(999'999), std::string("1.0 MB"));
    QCOMPARE(formatBytes(542'000'000), std::string("542.0 MB"));
  }

  void diagnosticsReadAsSentences() {
    Diagnostic diagnostic{Code::OperatorUnsupported, Severity::Error, "aten.sort has no kernel", {},
                          "the runtime lacks it",    {"use topk"}};
    diagnostic.where.op = "aten.sort.default";
    diagnostic.where.sourceFile = "model.py";
    diagnostic.where.sourceLine = 12;
    diagnostic.where.sourceText = "x.sort()";
    diagnostic.where.modulePath = "head";
    QCOMPARE(
        diagnostic.text(),
        std::string("error: aten.sort has no kernel (operator aten.sort.default; model.py:12 `x.sort()`; module head). "
                    "the runtime lacks it. Try: use topk. [operator.unsupported]"));
  }

  void equalDiagnosticsAreCounted() {
    DiagnosticSink sink;
    for (int i = 0; i < 3; ++i) sink.report({Code::NodeNotDelegated, Severity::Info, "same", {}, {}, {}});
    sink.report({Code::NodeNotDelegated, Severity::Info, "other", {}, {}, {}});
    QCOMPARE(sink.all().size(), size_t{2});
    QCOMPARE(sink.all().front().occurrences, 3);
  }

  void everyCodeHasItsOwnId() {
    std::vector<std::string> seen;
    for (int code = 0; code <= static_cast<int>(Code::NodeNotDelegated); ++code) {
      QCOMPARE(static_cast<int>(codeInfo(static_cast<Code>(code)).code), code);
      const std::string id = codeInfo(static_cast<Code>(code)).id;
      QVERIFY2(std::find(seen.begin(), seen.end(), id) == seen.end(), id.c_str());
      seen.push_back(id);
    }
  }
};

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
