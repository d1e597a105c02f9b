// A set of chosen values over their defaults.
#include <QTest>

#include "options/catalogue.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::options;
using exportdeck::tests::errorCode;
using exportdeck::tests::errorOf;

namespace {

OptionSet setOf(const char* backend) {
  return OptionSet(Catalogue::builtIn().find(backend)->exportOptions);
}

std::string codeOfSetting(OptionSet& set, std::string_view words) {
  return errorCode([&] {
    set.setText(words);
    return 0;
  });
}

}  // namespace

class TestOptionSet : public QObject {
  Q_OBJECT

 private slots:
  void defaultsUntilSet() {
    OptionSet set = setOf("xnnpack");
    QCOMPARE(set.integer("alignment"), 16);
    QVERIFY(!set.isSet("alignment"));
    set.setText("alignment=64");
    set.setText("exclude_ops=aten.mul.Tensor, aten.add.Tensor");
    set.set("per_op_mode", true);
    QCOMPARE(set.integer("alignment"), 64);
    QVERIFY(set.boolean("per_op_mode"));
    QVERIFY((set.list("exclude_ops") == std::vector<std::string>{"aten.mul.Tensor", "aten.add.Tensor"}));
    set.reset("alignment");
    QCOMPARE(set.integer("alignment"), 16);
  }

  void lastOneWins() {
    OptionSet set = setOf("portable");
    set.setText("alignment=32");
    set.setText("alignment=128");
    QCOMPARE(set.integer("alignment"), 128);
  }

  void jsonForms() {
    OptionSet set = setOf("portable");
    set.setText("alignment=64");
    set.setText("plan_inputs=true");  // the default, chosen by hand
    QCOMPARE(set.changedToJson().dump(), std::string(R"({"alignment":64})"));
    // Every option of the backend, with what it is set to.
    const nlohmann::json resolved = set.resolvedToJson();
    QCOMPARE(resolved.size(), set.specs().size());
    QVERIFY(resolved["alignment"] == 64);
    QVERIFY(resolved["bound"] == nlohmann::json::array());
    QVERIFY(resolved["quantize"] == "none");
    QVERIFY(resolved["runtime_profile"] == "quantized");
  }

  void refusesUnknownKeys() {
    OptionSet set = setOf("xnnpack");
    const auto error = errorOf([&] {
      set.setText("alignmnt=64");
      return 0;
    });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, Code::OptionUnknown);
    QCOMPARE(error->message, std::string("There is no option \"alignmnt\""));
    QCOMPARE(error->fixes.front(), std::string("use alignment"));
    QVERIFY(error->why.find("segment_alignment") != std::string::npos);
  }

  void refusesOtherForms() {
    OptionSet set = setOf("xnnpack");
    QCOMPARE(codeOfSetting(set, "alignment"), std::string("usage"));
    QCOMPARE(codeOfSetting(set, "=64"), std::string("option.unknown"));
    QCOMPARE(codeOfSetting(set, "alignment="), std::string("option.invalid"));
    const auto codeOf = [&](OptionValue value) {
      return errorCode([&] {
        set.set("alignment", std::move(value));
        return 0;
      });
    };
    QCOMPARE(codeOf(true), std::string("option.invalid"));
    QCOMPARE(codeOf(64.0), std::string("option.invalid"));
    QCOMPARE(codeOf(int64_t{24}), std::string("option.invalid"));
    QCOMPARE(set.integer("alignment"), 16);  // a refused value changes nothing
  }

  void wrongReadsAreFaultsOfOurs() {
    const OptionSet set = setOf("xnnpack");
    QCOMPARE(errorCode([&] { return set.integer("nothing"); }), std::string("internal.fault"));
    QCOMPARE(errorCode([&] { return set.boolean("alignment"); }), std::string("internal.fault"));
  }
};

QTEST_APPLESS_MAIN(TestOptionSet)
#include "tst_option_set.moc"
