// Every case, end to end, with both native backends: exported, run on the ExecuTorch runtime, compared with what
// PyTorch computed.
//
// A case is right, or it is refused with a message; a wrong or dead program fails. Cases named in tests/cases/right.txt
// must be right. The cases of the repository (the sample, tests/cases/*) are always there; those of ../shared/cases are
// skipped by name where that folder is absent.
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

#include "support/files.h"
#include "support/run_program.h"

using namespace exportdeck::tests;

namespace {

// Lines "NAME" (both backends) or "NAME BACKEND"; '#' starts a comment.
QSet<QString> readRightList() {
  QSet<QString> right;
  QFile file(QString::fromStdString(repositoryFile("tests/cases/right.txt")));
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return right;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const QString text = QString::fromUtf8(line).section('#', 0, 0).simplified();
    if (text.isEmpty()) continue;
    if (text.contains(' ')) {
      right.insert(text);
    } else {
      right << text + " xnnpack" << text + " portable";
    }
  }
  return right;
}

QStringList caseFolders() {
  QStringList folders{QString::fromStdString(repositoryFile("resources/samples/digits_case"))};
  QSet<QString> seen;  // a case that the repository keeps may be in the larger collection too
  for (const std::string& parent : {repositoryFile("tests/cases"), sharedCase("")}) {
    const QDir dir(QString::fromStdString(parent));
    for (const QString& name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
      if (!dir.exists(name + "/case.json") || !dir.exists(name + "/model.pt2") || seen.contains(name)) continue;
      seen << name;
      folders << dir.absoluteFilePath(name);
    }
  }
  return folders;
}

// What a case accepts: {"expect": "ok"|"refuse", "accept": [...]}.
QSet<QString> accepted(const QString& folder) {
  QFile file(folder + "/case.json");
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QJsonObject spec = QJsonDocument::fromJson(file.readAll()).object();
  QSet<QString> out{spec["expect"].toString("ok")};
  for (const auto& item : spec["accept"].toVariant().toStringList()) out << item;
  return out;
}

}  // namespace

class TestCases : public QObject {
  Q_OBJECT
 private slots:
  void isRightOrRefused_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("backend");
    QTest::addColumn<bool>("mustBeRight");
    QSet<QString> right = readRightList();
    for (const QString& folder : caseFolders()) {
      for (const QString backend : {"xnnpack", "portable"}) {
        const QString key = QDir(folder).dirName() + ' ' + backend;
        QTest::newRow(qPrintable(key)) << folder << backend << right.remove(key);
      }
    }
    for (const QString& absent : right) {
      QTest::newRow(qPrintable(absent)) << QString() << absent << true;
    }
  }

  void isRightOrRefused() {
    QFETCH(QString, folder);
    QFETCH(QString, backend);
    QFETCH(bool, mustBeRight);
    if (folder.isEmpty())
      QSKIP(qPrintable("the case " + backend.section(' ', 0, 0) + " of ../shared/cases is not here"));

    const TemporaryFolder temporary;
    const QString output = QString::fromStdString(temporary.file("out.pte"));
    const ProgramResult result =
        runExportDeck({"export", folder + "/model.pt2", "-o", output, "--backend", backend, "--verify", folder});
    const QByteArray last = result.messages.trimmed().split('\n').last();
    const QSet<QString> right = accepted(folder);

    if (result.exit == 0) {
      QVERIFY2(right.contains("ok"), "it was exported where a refusal is the right answer");
      QVERIFY(QFile::exists(output));
      return;
    }
    QVERIFY2(result.exit == 3 || result.exit == 4,
             qPrintable(QString("exit %1: %2").arg(result.exit).arg(QString::fromUtf8(last))));
    QVERIFY2(last.startsWith("error: "), "a refusal ends with its sentence");
    QCOMPARE(temporary.listing(), std::string());
    if (right.contains("refuse")) return;
    QVERIFY2(!mustBeRight, qPrintable("refused, where it was right before: " + QString::fromUtf8(last)));
  }

  void refusalsSayWhatWhereAndWhatToDo_data() {
    QTest::addColumn<QStringList>("words");
    QFile file(QString::fromStdString(repositoryFile("tests/cases/refused.txt")));
    QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
    for (const QByteArray& line : file.readAll().split('\n')) {
      const QStringList words = QString::fromUtf8(line).section('#', 0, 0).split(" | ", Qt::SkipEmptyParts);
      if (words.size() > 1) QTest::newRow(qPrintable(words.first())) << words;
    }
  }

  void refusalsSayWhatWhereAndWhatToDo() {
    QFETCH(QStringList, words);
    const QString folder = QString::fromStdString(repositoryFile("tests/cases/")) + words.takeFirst();
    const TemporaryFolder temporary;
    const ProgramResult result =
        runExportDeck({"export", folder + "/model.pt2", "-o", QString::fromStdString(temporary.file("out.pte"))});
    QVERIFY(result.exit == 3 || result.exit == 4);
    const QString sentence = QString::fromUtf8(result.messages.trimmed().split('\n').last());
    QVERIFY2(sentence.endsWith("[" + words.takeFirst() + "]"), qPrintable(sentence));
    QVERIFY2(sentence.contains(" Try: "), qPrintable(sentence));
    for (const QString& word : words) QVERIFY2(sentence.contains(word.trimmed()), qPrintable(sentence));
  }
};

QTEST_GUILESS_MAIN(TestCases)
#include "tst_cases.moc"
