// Places in the user's program, as archives of several releases record them.
#include <QTest>

#include "pt2/origin.h"
#include "pt2/tensor_meta.h"

using namespace exportdeck;

class TestOrigin : public QObject {
  Q_OBJECT

 private slots:
  void readsTheInnermostFrame();
  void prefersTheUsersOwnLine();
  void skipsMarkersAndQuotedFrames();
  void leavesUnknownTracesEmpty();
  void readsModulePaths_data();
  void readsModulePaths();
};

void TestOrigin::readsTheInnermostFrame() {
  Origin origin;
  pt2::readStackTrace(
      "File \"/a/model.py\", line 6, in forward\n    x = self.seq(x)\n  File \"/b/linear.py\", line 134, in forward\n  "
      "  return F.linear(x)",
      origin);
  QCOMPARE(origin.sourceFile, std::string("/b/linear.py"));
  QCOMPARE(origin.sourceLine, 134);
  QCOMPARE(origin.sourceText, std::string("return F.linear(x)"));
}

void TestOrigin::prefersTheUsersOwnLine() {
  const std::string user = "File \"/a/model.py\", line 6, in forward\n    x = self.fc(x)\n";
  const std::string torch =
      "  File \"/lib/python3.11/site-packages/torch/nn/modules/linear.py\", line 134, in forward\n    return "
      "F.linear(x)\n";
  Origin mine, theirs;
  pt2::readStackTrace(user + torch, mine);
  QCOMPARE(mine.sourceFile, std::string("/a/model.py"));
  QCOMPARE(mine.sourceLine, 6);
  QCOMPARE(mine.sourceText, std::string("x = self.fc(x)"));
  pt2::readStackTrace(torch, theirs);
  QCOMPARE(theirs.sourceLine, 134);
}

void TestOrigin::skipsMarkersAndQuotedFrames() {
  Origin origin;
  pt2::readStackTrace(
      "  File \"/a/model.py\", line 6, in forward\n    x = f(x)  # see File \"/c.py\", line 1, in g\n        ^^^^\n",
      origin);
  QCOMPARE(origin.sourceFile, std::string("/a/model.py"));
  QCOMPARE(origin.sourceLine, 6);
  QCOMPARE(origin.sourceText, std::string("x = f(x)  # see File \"/c.py\", line 1, in g"));
}

void TestOrigin::leavesUnknownTracesEmpty() {
  for (const std::string text : {"", "no frames here", "File \"", "File \"/a.py\", line "}) {
    Origin origin;
    pt2::readStackTrace(text, origin);
    QCOMPARE(origin.sourceLine, 0);
  }
}

void TestOrigin::readsModulePaths_data() {
  QTest::addColumn<QString>("stack");
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("type");
  QTest::newRow("root") << "L__self__,,net.Net" << "" << "net.Net";
  QTest::newRow("inner") << "L__self__,,net.Net;L__self__l.0,l.0,torch.nn.Linear" << "l.0" << "torch.nn.Linear";
  QTest::newRow("called again") << "L__self__,,net.Net;L__self__l.0@1,l.0,torch.nn.Linear" << "l.0"
                                << "torch.nn.Linear";
  QTest::newRow("numbered keys") << "140160341779920,seq,torch.nn.Sequential" << "seq" << "torch.nn.Sequential";
  QTest::newRow("old names") << "k,L['self'].layer1[0].conv2,torch.nn.Conv2d" << "layer1.0.conv2" << "torch.nn.Conv2d";
  QTest::newRow("old getattr") << "k,getattr(L['self'].layer1, '0').conv2,torch.nn.Conv2d" << "layer1.0.conv2"
                               << "torch.nn.Conv2d";
  QTest::newRow("none") << "" << "" << "";
  QTest::newRow("of PyTorch itself")
      << "_empty_nn_module_stack_from_metadata_hook,_empty_nn_module_stack_from_metadata_hook,_e" << "" << "";
}

void TestOrigin::readsModulePaths() {
  QFETCH(QString, stack);
  QFETCH(QString, path);
  QFETCH(QString, type);
  Origin origin;
  pt2::readModuleStack(stack.toStdString(), origin);
  QCOMPARE(QString::fromStdString(origin.modulePath), path);
  QCOMPARE(QString::fromStdString(origin.moduleType), type);
}

QTEST_APPLESS_MAIN(TestOrigin)
#include "tst_origin.moc"
