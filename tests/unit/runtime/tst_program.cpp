// Loading and running programs that ExecuTorch itself made, and refusing what is none. See data/README.md.
#include <QTest>

#include "runtime/program.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::runtime;
using namespace exportdeck::tests;

namespace {

std::string programFile(const std::string& name) {
  return repositoryFile("tests/unit/runtime/data/" + name + ".pte");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT

 private slots:
  void runsCases_data();
  void runsCases();
  void tellsWhatAProgramTakes();
  void runsRandomInputs();
  void refusesInputsThatDoNotFit();
  void namesMissingKernels();
  void namesMethods();
  void refusesWhatIsNoProgram();
};

void TestProgram::runsCases_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"x01_deflated_archive", "input_scalar_float_int", "conv_channels_last_input"})
    QTest::newRow(name) << name;
}

void TestProgram::runsCases() {
  QFETCH(QString, name);
  const auto program = LoadedProgram::load(programFile(name.toStdString()));
  const auto expected = readCase(repositoryFile("tests/cases/" + name.toStdString()));
  for (const auto& call : expected.calls) {
    const auto result = compare(program->run(call.inputs), call.outputs, expected.tolerance);
    QVERIFY2(result.match, result.why.c_str());
  }
}

void TestProgram::tellsWhatAProgramTakes() {
  const auto program = LoadedProgram::load(programFile("input_scalar_float_int"));
  const auto inputs = program->inputs();
  QCOMPARE(inputs.size(), size_t{3});
  QCOMPARE(inputs[0].kind, std::string("tensor"));
  QCOMPARE(inputs[0].dtype, std::string("float32"));
  QCOMPARE(inputs[1].kind, std::string("float"));
  QCOMPARE(std::get<double>(inputs[1].fixed), 2.5);
  QCOMPARE(std::get<int64_t>(inputs[2].fixed), int64_t{3});
  QCOMPARE(program->outputs().size(), size_t{1});
  QCOMPARE(program->backends(), std::vector<std::string>{"XnnpackBackend"});
  QVERIFY(program->plannedBytes() > 0);
}

void TestProgram::runsRandomInputs() {
  const auto program = LoadedProgram::load(programFile("conv_channels_last_input"));
  const auto outputs = program->run(randomInputs(program->inputs(), 7, 10));
  QCOMPARE(outputs.size(), size_t{1});
  QCOMPARE(std::get<HostTensor>(outputs[0]).sizes, program->outputs()[0].sizes);
}

void TestProgram::refusesInputsThatDoNotFit() {
  const auto program = LoadedProgram::load(programFile("x01_deflated_archive"));
  const auto refusal = [&](std::vector<HostValue> inputs) {
    const auto diagnostic = errorOf([&] { return program->run(inputs); });
    return diagnostic && diagnostic->code == Code::CaseInvalid ? diagnostic->message : "none";
  };
  QVERIFY(contains(refusal({}), "0 inputs"));
  QVERIFY(
      contains(refusal({HostTensor{"int64", {3, 12}, Bytes(288)}}), "int64[3,12] but the program takes float32[3,12]"));
  QVERIFY(contains(refusal({HostTensor{"float32", {12, 3}, Bytes(144)}}), "float32[12,3]"));
  QVERIFY(contains(refusal({HostTensor{"float32", {3, 12}, Bytes(140)}}), "140 bytes"));
  QVERIFY(contains(refusal({2.5}), "kind float"));
}

void TestProgram::namesMissingKernels() {
  const auto diagnostic = errorOf([] { return LoadedProgram::load(programFile("sort_argsort")); });
  QVERIFY(diagnostic.has_value());
  QCOMPARE(diagnostic->code, Code::VerifyLoadFailed);
  QVERIFY2(contains(diagnostic->message, "aten::sort.values, aten::sort.values_stable (OperatorMissing, 0x14)"),
           diagnostic->message.c_str());
}

void TestProgram::namesMethods() {
  const auto diagnostic =
      errorOf([] { return LoadedProgram::load(programFile("x01_deflated_archive"), {"backward", {}}); });
  QVERIFY(diagnostic.has_value());
  QVERIFY2(contains(diagnostic->message, "no method backward; it has forward"), diagnostic->message.c_str());
}

void TestProgram::refusesWhatIsNoProgram() {
  const TemporaryFolder folder;
  QCOMPARE(errorCode([&] { return LoadedProgram::load(folder.file("none.pte")); }), std::string("file.not-found"));
  for (const std::string content : {"", "short", "this is no program at all"}) {
    QCOMPARE(errorCode([&] { return LoadedProgram::load(folder.write("no.pte", content)); }),
             std::string("program.invalid"));
  }
  // Right identifier, nothing behind it.
  const auto garbage = errorOf([&] {
    return LoadedProgram::load(
        folder.write("garbage.pte", std::string("\x20\0\0\0ET12", 8) + std::string(300, '\x7f')));
  });
  QVERIFY(garbage && garbage->code == Code::VerifyLoadFailed && contains(garbage->message, "0x23"));
  const std::string whole = readText(programFile("x01_deflated_archive"));
  const auto cut = errorOf([&] { return LoadedProgram::load(folder.write("cut.pte", whole.substr(0, 3000))); });
  QVERIFY(cut && contains(cut->message, "InvalidProgram") && contains(cut->why, "too small"));
}

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
