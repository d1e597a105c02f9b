// The example inputs of an archive, and that nothing in their pickle can run.
#include <QTest>
#include <cstring>

#include "pt2/pickle.h"
#include "pt2/reader.h"
#include "support/errors.h"
#include "support/files.h"
#include "unit/pt2/zip_builder.h"

using namespace exportdeck;
using namespace exportdeck::tests;
using namespace std::string_literals;

namespace {

std::string refusal(const std::string& pickle) {
  try {
    pt2::Unpickler(std::as_bytes(std::span(pickle))).load();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

class TestSampleInputs : public QObject {
  Q_OBJECT

 private slots:
  void readsTensorsAndNumbers();
  void readsDeflatedArchives();
  void tellsWhyThereAreNone();
  void unpicklesPlainValues();
  void refusesCode();
  void refusesDamage();
};

void TestSampleInputs::readsTensorsAndNumbers() {
  const auto archive = pt2::Archive::open(repositoryFile("tests/cases/input_scalar_float_int/model.pt2"));
  const auto inputs = pt2::readSampleInputs(*archive);
  QCOMPARE(inputs.why, std::string());
  QCOMPARE(inputs.tensors.size(), size_t{3});
  QVERIFY(inputs.tensors[0] != nullptr);
  QCOMPARE(inputs.tensors[0]->data->materialise(),
           readBytes(repositoryFile("tests/cases/input_scalar_float_int/input_0.bin")));
  QVERIFY(inputs.tensors[1] == nullptr);
  QCOMPARE(std::get<double>(inputs.fixed[1]), 2.5);
  QCOMPARE(std::get<int64_t>(inputs.fixed[2]), int64_t{3});
}

void TestSampleInputs::readsDeflatedArchives() {
  const auto inputs =
      pt2::readSampleInputs(*pt2::Archive::open(repositoryFile("tests/cases/x01_deflated_archive/model.pt2")));
  QCOMPARE(inputs.why, std::string());
  QCOMPARE(inputs.tensors.size(), size_t{1});
  QCOMPARE(inputs.tensors[0]->type.text(), std::string("f32[3,12]"));
  QCOMPARE(inputs.tensors[0]->data->materialise(),
           readBytes(repositoryFile("tests/cases/x01_deflated_archive/input_0.bin")));
}

void TestSampleInputs::tellsWhyThereAreNone() {
  const TemporaryFolder folder;
  ZipBuilder zip;
  zip.add("top/archive_format", "pt2");
  zip.add("top/archive_version", "0");
  zip.add("top/models/model.json", "{}");
  zip.add("top/data/sample_inputs/model.pt", "");
  const auto inputs = pt2::readSampleInputs(*pt2::Archive::open(folder.write("none.pt2", zip.finish())));
  QVERIFY(inputs.tensors.empty() && inputs.fixed.empty());
  QCOMPARE(inputs.why, std::string("the archive holds no example inputs"));
}

void TestSampleInputs::unpicklesPlainValues() {
  // pickle.dumps(([1, -2, 300], {"k": None}, True, 2.5, 2**40), protocol=4), unframed
  const std::string pickle =
      "\x80\x04]\x94(K\x01J\xfe\xff\xff\xffM\x2c\x01"
      "e}\x94\x8c\x01k\x94Ns\x88G\x40\x04\x00\x00\x00\x00\x00\x00"
      "\x8a\x06\x00\x00\x00\x00\x00\x01t\x94."s;
  std::string marked = pickle;
  marked.insert(2, "(");
  pt2::Unpickler unpickler(std::as_bytes(std::span(marked)));
  const auto& tuple = std::get<pt2::PickleSequence>(unpickler.load().data);
  QCOMPARE(tuple.items.size(), size_t{5});
  const auto& list = std::get<pt2::PickleSequence>(tuple.items[0]->data);
  QCOMPARE(std::get<int64_t>(list.items[1]->data), int64_t{-2});
  QCOMPARE(std::get<int64_t>(list.items[2]->data), int64_t{300});
  const auto& dict = std::get<pt2::PickleDict>(tuple.items[1]->data);
  QCOMPARE(std::get<std::string>(dict.items[0].first->data), std::string("k"));
  QVERIFY(std::holds_alternative<std::monostate>(dict.items[0].second->data));
  QVERIFY(std::get<bool>(tuple.items[2]->data));
  QCOMPARE(std::get<double>(tuple.items[3]->data), 2.5);
  QCOMPARE(std::get<int64_t>(tuple.items[4]->data), int64_t{1} << 40);
}

void TestSampleInputs::refusesCode() {
  QCOMPARE(refusal("\x80\x02"
                   "cos\nsystem\nX\x02\x00\x00\x00ls\x85R."s),
           std::string("the pickle calls os.system, which is not read"));
  QCOMPARE(refusal("\x80\x02"
                   "cbuiltins\neval\n)R."s),
           std::string("the pickle calls builtins.eval, which is not read"));
  QVERIFY(refusal("\x80\x02i"s).find("opcode") != std::string::npos);             // INST
  QVERIFY(refusal("\x80\x02]}b."s).find("sets the state") != std::string::npos);  // BUILD of what is no dict
}

void TestSampleInputs::refusesDamage() {
  for (const std::string& pickle : {""s, "\x80"s, "\x80\x02("s, "."s, "t."s, "K"s, "X\xff\xff\xff\xff"s, "h\x05."s,
                                    "}K\x01"
                                    "as."s,
                                    "q\x01."s, "R."s, "Q."s, "(K\x01R."s,
                                    "\x8a\x09"
                                    "123456789."s,
                                    "cabc"s, "]Q."s, "a."s, "\x93."s}) {
    QVERIFY2(refusal(pickle) != "none", pickle.c_str());
  }
}

QTEST_APPLESS_MAIN(TestSampleInputs)
#include "tst_sample_inputs.moc"
