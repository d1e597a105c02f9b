// The export as one call: what is published, and that nothing is left when it fails or stops at any point.
#include <QDir>
#include <QTest>

#include "backends/backend.h"
#include "base/text.h"
#include "driver/export.h"
#include "options/catalogue.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::tests;

namespace {

driver::ExportRequest sampleRequest(const TemporaryFolder& folder, const std::string& backend = "xnnpack") {
  driver::ExportRequest request;
  request.method.path = repositoryFile("resources/samples/digits.pt2");
  request.output = folder.file("digits.pte");
  request.backend = backend;
  request.options = options::OptionSet(options::Catalogue::builtIn().require(backend, "native").exportOptions);
  return request;
}

driver::ExportReport exportQuietly(const driver::ExportRequest& request) {
  DiagnosticSink diagnostics;
  return driver::exportProgram(request, diagnostics, Context{silentProgress(), {}});
}

// Counts events and asks for a stop at one of them.
class StopAt : public ProgressSink {
 public:
  explicit StopAt(int event) : left_(event) {}
  std::stop_token token() const { return source_.get_token(); }
  bool fired() const { return source_.stop_requested(); }
  void stageStarted(std::string_view) override { count(); }
  void stageAdvanced(std::string_view, uint64_t, uint64_t) override { count(); }
  void stageFinished(std::string_view, double) override { count(); }
  void log(LogLevel, std::string_view) override {}

 private:
  void count() {
    if (left_-- == 0) source_.request_stop();
  }
  int left_;
  std::stop_source source_;
};

}  // namespace

class TestExport : public QObject {
  Q_OBJECT
 private slots:
  void publishesTheProgramAndItsRecord() {
    for (const std::string backend : {"xnnpack", "portable"}) {
      const TemporaryFolder folder;
      driver::ExportRequest request = sampleRequest(folder, backend);
      request.recorded = {{"profile", "mine"}};
      const driver::ExportReport report = exportQuietly(request);
      QCOMPARE(folder.listing(), std::string("digits.export.json digits.pte"));
      const auto record = nlohmann::json::parse(readText(folder.file("digits.export.json")));
      QCOMPARE(record.at("profile").get<std::string>(), std::string("mine"));
      QCOMPARE(record.at("backend").get<std::string>(), backend);
      QCOMPARE(record.at("output").at("bytes").get<uint64_t>(), uint64_t{readBytes(request.output).size()});
      QCOMPARE(record.at("output").at("hash").get<std::string>(), bytesInMemory(readBytes(request.output))->hash());
      QCOMPARE(record.at("options").size(), request.options.specs().size());
      QCOMPARE(report.methods.at(0).coverage.delegates, backend == "xnnpack" ? 1 : 0);
      QVERIFY(report.written.methods.at(0).plan.arenaBytes >= report.written.methods.at(0).plan.lowerBound);
    }
  }

  void theSameExportGivesTheSameBytes() {
    const TemporaryFolder first, second;
    exportQuietly(sampleRequest(first));
    exportQuietly(sampleRequest(second));
    QVERIFY(readBytes(first.file("digits.pte")) == readBytes(second.file("digits.pte")));
  }

  void theSourceIsNeverReplaced() {
    const TemporaryFolder folder;
    for (const char* name : {"digits.pt2", "digits.export.json", "digits.rejected"}) {
      driver::ExportRequest request = sampleRequest(folder);
      request.method.path = folder.file(name);
      const auto original = readBytes(repositoryFile("resources/samples/digits.pt2"));
      QFile::copy(QString::fromStdString(repositoryFile("resources/samples/digits.pt2")),
                  QString::fromStdString(request.method.path));
      if (std::string_view(name).ends_with(".pt2")) request.output = request.method.path;
      request.replace = true;
      const auto error = errorOf([&] { exportQuietly(request); });
      QVERIFY2(error && error->code == Code::Usage, name);
      QVERIFY(readBytes(request.method.path) == original);
    }
  }

  void outputsThatAreNoFilesAreRefused() {
    const TemporaryFolder folder;
    driver::ExportRequest request = sampleRequest(folder);
    request.output.clear();
    const auto nameless = errorOf([&] { exportQuietly(request); });
    QVERIFY(nameless && nameless->code == Code::Usage);
    request.output = "/dev/null";
    const auto device = errorOf([&] { exportQuietly(request); });
    QVERIFY(device && device->code == Code::FileUnwritable);
    QVERIFY2(device->message.find("/dev/null") != std::string::npos, device->message.c_str());
  }

  void anExistingOutputIsKept() {
    const TemporaryFolder folder;
    driver::ExportRequest request = sampleRequest(folder);
    folder.write("digits.pte", "precious");
    QCOMPARE(errorCode([&] { return exportQuietly(request); }), std::string("file.exists"));
    QCOMPARE(readText(request.output), std::string("precious"));
    request.replace = true;
    exportQuietly(request);
    QVERIFY(readText(request.output) != "precious");
  }

  void theSourceIsNeverItsOwnOutput() {
    const TemporaryFolder folder;
    driver::ExportRequest request = sampleRequest(folder);
    request.method.path = folder.write("digits.pte", readText(request.method.path));
    request.replace = true;
    QCOMPARE(errorCode([&] { return exportQuietly(request); }), std::string("usage"));
  }

  void aRejectedProgramIsNotPublished() {
    const TemporaryFolder folder;
    driver::ExportRequest request = sampleRequest(folder);
    request.verify = [](const driver::Unpublished& written) -> nlohmann::json {
      check(!readBytes(written.program).empty(), "the program is readable while it is checked");
      throw ExportError(Code::VerifyMismatch, "the outputs differ");
    };
    QCOMPARE(errorCode([&] { return exportQuietly(request); }), std::string("verify.mismatch"));
    QCOMPARE(folder.listing(), std::string());
    request.keepRejected = true;
    QCOMPARE(errorCode([&] { return exportQuietly(request); }), std::string("verify.mismatch"));
    QCOMPARE(folder.listing(), std::string("digits.rejected"));
  }

  void aStopAtAnyEventLeavesNothing() {
    int events = 0;
    for (;; ++events) {
      const TemporaryFolder folder;
      StopAt progress(events);
      DiagnosticSink diagnostics;
      const Context context{progress, progress.token()};
      const std::string code =
          errorCode([&] { return driver::exportProgram(sampleRequest(folder), diagnostics, context); });
      if (code == "none") {
        // Only a stop that comes after the last look may be too late, and then the output is whole.
        QCOMPARE(folder.listing(), std::string("digits.export.json digits.pte"));
        if (!progress.fired()) break;
        continue;
      }
      QCOMPARE(code, std::string("cancelled"));
      QCOMPARE(folder.listing(), std::string());
    }
    QVERIFY2(events > 10, "an export of five stages has more events than that");
  }

  void dumpsTheGraphAfterEachPass() {
    const TemporaryFolder folder;
    driver::ExportRequest request = sampleRequest(folder);
    request.dumpDirectory = folder.file("dumps");
    exportQuietly(request);
    const QStringList files = QDir(QString::fromStdString(request.dumpDirectory)).entryList(QDir::Files, QDir::Name);
    QVERIFY(files.size() > 5);
    QCOMPARE(files.first(), QString("00-read.txt"));
    for (const QString& file : files)
      ir::verify(*ir::parse(readText(request.dumpDirectory + "/" + file.toStdString())));
  }
};

QTEST_APPLESS_MAIN(TestExport)
#include "tst_export.moc"
