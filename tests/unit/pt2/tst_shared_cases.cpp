// Every program of the larger collection reads, or is refused for changing its buffers; skipped where the collection is
// not there.
#include <QDir>
#include <QTest>

#include "pt2/reader.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::tests;

class TestSharedCases : public QObject {
  Q_OBJECT

 private slots:
  void readsOrRefuses_data();
  void readsOrRefuses();
};

void TestSharedCases::readsOrRefuses_data() {
  QTest::addColumn<QString>("folder");
  const QDir dir(QString::fromStdString(sharedCase("")));
  if (!dir.exists()) QTest::newRow("none") << QString();
  for (const QString& name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    if (dir.exists(name + "/model.pt2")) QTest::newRow(qPrintable(name)) << dir.absoluteFilePath(name);
  }
}

void TestSharedCases::readsOrRefuses() {
  QFETCH(QString, folder);
  if (folder.isEmpty()) QSKIP("../shared/cases is not here");
  const std::string path = folder.toStdString() + "/model.pt2";
  const auto diagnostic = errorOf([&] {
    const auto program = pt2::readProgram(path, Context{silentProgress(), {}});
    ir::verify(*program.graph);
    for (const ir::Value* value : program.graph->constants()) {
      if (value->constant()->data->materialise().size() != value->type().bytes()) {
        throw ExportError(Code::Fault, "a constant has another size than its type");
      }
    }
    return 0;
  });
  const bool changesBuffers = diagnostic && diagnostic->code == Code::MutationUnsupported;
  QVERIFY2(!diagnostic || changesBuffers, diagnostic ? diagnostic->message.c_str() : "");
  const auto inputs = pt2::readSampleInputs(*pt2::Archive::open(path));
  QVERIFY(!inputs.tensors.empty() || !inputs.why.empty());
}

QTEST_APPLESS_MAIN(TestSharedCases)
#include "tst_shared_cases.moc"
