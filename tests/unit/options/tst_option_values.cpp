// What an option may hold: parsing, formatting, JSON and refusals.
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/text.h"
#include "options/option_set.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::options;
using exportdeck::tests::errorCode;
using exportdeck::tests::errorOf;

namespace {

OptionSpec spec(OptionType type, OptionValue fallback) {
  OptionSpec made;
  made.key = "thing";
  made.type = type;
  made.fallback = std::move(fallback);
  return made;
}
OptionSpec boolSpec() {
  return spec(OptionType::Bool, false);
}
OptionSpec intSpec() {
  return spec(OptionType::Int, int64_t{1});
}
OptionSpec floatSpec() {
  return spec(OptionType::Float, 1.0);
}
OptionSpec stringSpec() {
  return spec(OptionType::String, std::string());
}
OptionSpec listSpec() {
  return spec(OptionType::List, std::vector<std::string>());
}
OptionSpec enumSpec() {
  OptionSpec made = spec(OptionType::Enum, std::string("none"));
  made.choices = {"none", "static", "dynamic"};
  return made;
}
OptionSpec alignmentSpec() {
  OptionSpec made = spec(OptionType::Int, int64_t{16});
  made.minimum = 16;
  made.maximum = 4096;
  made.powerOfTwo = true;
  return made;
}
// By the column "which" of the tables below.
OptionSpec specNumber(int which) {
  const OptionSpec specs[] = {boolSpec(),   intSpec(),  floatSpec(),    enumSpec(),
                              stringSpec(), listSpec(), alignmentSpec()};
  return specs[which];
}

std::string messageOf(const OptionSpec& option, std::string_view text) {
  const auto error = errorOf([&] { return parseValue(option, text); });
  return error ? error->message : "accepted";
}

std::string randomText(std::mt19937& random) {
  static const std::vector<std::string> pieces = {"a", "Z",  "0", " ",  ",",  "\\", "=", "\"",
                                                  "'", "\t", "ä", "日", "😀", ".",  "-"};
  std::string text;
  for (size_t n = random() % 8; n > 0; --n) text += pieces[random() % pieces.size()];
  return text;
}

}  // namespace

class TestOptionValues : public QObject {
  Q_OBJECT

 private slots:
  // Every valid value survives text and JSON unchanged.
  void roundTrip() {
    std::mt19937 random(7);
    std::mt19937_64 wide(8);
    int lists = 0;
    for (int i = 0; i < 3000; ++i) {
      roundTripOf(boolSpec(), random() % 2 == 0);
      roundTripOf(intSpec(), static_cast<int64_t>(wide()));
      const auto bits = wide();
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      if (std::isfinite(number)) roundTripOf(floatSpec(), number);
      roundTripOf(stringSpec(), randomText(random));
      roundTripOf(enumSpec(), enumSpec().choices[random() % 3]);
      std::vector<std::string> items;
      for (size_t n = random() % 4; n > 0; --n) items.push_back(randomText(random));
      if (!whyInvalid(listSpec(), items).empty()) continue;
      roundTripOf(listSpec(), items);
      ++lists;
    }
    QVERIFY(lists > 300);
    roundTripOf(intSpec(), std::numeric_limits<int64_t>::min());
    roundTripOf(intSpec(), std::numeric_limits<int64_t>::max());
    roundTripOf(floatSpec(), std::numeric_limits<double>::denorm_min());
  }

  void parsesWords() {
    QVERIFY(parseValue(boolSpec(), "true") == OptionValue(true));
    QVERIFY(parseValue(boolSpec(), " off ") == OptionValue(false));
    QVERIFY(parseValue(intSpec(), " -12 ") == OptionValue(int64_t{-12}));
    QVERIFY(parseValue(floatSpec(), "1e3") == OptionValue(1000.0));
    QVERIFY(parseValue(stringSpec(), " as it is ") == OptionValue(std::string(" as it is ")));
    QVERIFY(parseValue(listSpec(), "a, b\\,c ,d") == OptionValue(std::vector<std::string>{"a", "b,c", "d"}));
    QVERIFY(parseValue(listSpec(), " ") == OptionValue(std::vector<std::string>{}));
  }

  void refusesText_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, int which, const QByteArray& text) { QTest::newRow(name) << which << text; };
    row("bool from a number", 0, "1");
    row("bool empty", 0, "");
    row("bool with capitals", 0, "True");
    row("int from a bool", 1, "true");
    row("int with a fraction", 1, "1.0");
    row("int with an exponent", 1, "1e3");
    row("int in hexadecimal", 1, "0x10");
    row("int empty", 1, "");
    row("int with a tail", 1, "12 MB");
    row("int above 64 bits", 1, "9223372036854775808");
    row("int below 64 bits", 1, "-9223372036854775809");
    row("float NaN", 2, "nan");
    row("float infinite", 2, "inf");
    row("float too large", 2, "1e999");
    row("float with a comma", 2, "1,5");
    row("float empty", 2, "");
    row("enum unknown", 3, "dynamc");
    row("enum empty", 3, "");
    row("string not UTF-8", 4, "\xC3");
    row("string with a line break", 4, "a\nb");
    row("list with an empty item", 5, "a,,b");
    row("list with an item twice", 5, "a,a");
    row("alignment too small", 6, "8");
    row("alignment too large", 6, "8192");
    row("alignment no power of two", 6, "24");
    row("alignment zero", 6, "0");
    row("alignment negative", 6, "-16");
  }
  void refusesText() {
    QFETCH(int, which);
    QFETCH(QByteArray, text);
    const auto error = errorOf([&] { return parseValue(specNumber(which), text.toStdString()); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, Code::OptionInvalid);
    QVERIFY2(QByteArray::fromStdString(error->message).contains("\"thing\" expects "), error->message.c_str());
  }

  void namesWhatIsExpected() {
    QCOMPARE(messageOf(alignmentSpec(), "24"),
             std::string("Option \"thing\" expects a power of two from 16 to 4096, but 24 is not a power of two"));
    QCOMPARE(messageOf(alignmentSpec(), "8192"),
             std::string(
                 "Option \"thing\" expects a power of two from 16 to 4096, but 8192 is above the greatest value 4096"));
    QCOMPARE(
        messageOf(enumSpec(), "dynamc"),
        std::string("Option \"thing\" expects one of none, static, dynamic, but \"dynamc\" is not among the choices "
                    "(nearest: dynamic)"));
    QCOMPARE(messageOf(boolSpec(), "1"), std::string("Option \"thing\" expects true or false, but \"1\" is neither"));
  }

  void offersTheNearestValue() {
    const auto fixOf = [](const OptionSpec& option, std::string_view text) {
      return errorOf([&] { return parseValue(option, text); })->fixes.front();
    };
    QCOMPARE(fixOf(alignmentSpec(), "24"), std::string("set thing=16"));
    QCOMPARE(fixOf(alignmentSpec(), "1"), std::string("set thing=16"));
    QCOMPARE(fixOf(alignmentSpec(), "1000000"), std::string("set thing=4096"));
    QCOMPARE(fixOf(enumSpec(), "statik"), std::string("set thing=static"));
    QCOMPARE(fixOf(boolSpec(), "True"), std::string("set thing=true"));
    QCOMPARE(fixOf(intSpec(), "many"), std::string("leave it out: its default is 1"));
  }

  void jsonIsStrict_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* name, int which, const QByteArray& json) { QTest::newRow(name) << which << json; };
    row("bool from 1", 0, "1");
    row("bool from text", 0, "\"true\"");
    row("bool from null", 0, "null");
    row("int from bool", 1, "true");
    row("int from 1.0", 1, "1.0");
    row("int from text", 1, "\"1\"");
    row("int above int64", 1, "9223372036854775808");
    row("int above uint64", 1, "99999999999999999999");
    row("float from text", 2, "\"1\"");
    row("float from bool", 2, "false");
    row("enum from number", 3, "0");
    row("enum unknown", 3, "\"x\"");
    row("string from number", 4, "1");
    row("list from text", 5, "\"a\"");
    row("list of numbers", 5, "[1]");
    row("list from object", 5, "{}");
    row("alignment from 24", 6, "24");
  }
  void jsonIsStrict() {
    QFETCH(int, which);
    QFETCH(QByteArray, json);
    const auto parsed = nlohmann::json::parse(json.toStdString());
    QCOMPARE(errorCode([&] { return valueFromJson(specNumber(which), parsed); }), std::string("option.invalid"));
  }

  void jsonTakesWholeNumbersAsFloats() { QVERIFY(valueFromJson(floatSpec(), 3) == OptionValue(3.0)); }

  void limitsTextLength() {
    OptionSpec path = stringSpec();
    path.maximum = 5;
    QCOMPARE(whyInvalid(path, std::string("12345")), std::string());
    QCOMPARE(whyInvalid(path, std::string("123456")), std::string("the text has 6 bytes, at most 5 fit"));
  }

  void limitsListItems() {
    OptionSpec list = listSpec();
    list.choices = {"FP32", "INT8"};
    QCOMPARE(whyInvalid(list, std::vector<std::string>{"INT8", "FP32"}), std::string());
    QCOMPARE(whyInvalid(list, std::vector<std::string>{"FP3"}),
             std::string("\"FP3\" is not among the choices (nearest: FP32)"));
  }

  void knowsUtf8() {
    for (const char* good : {"", "abc", "ä", "€", "😀"})
      QCOMPARE(whyInvalid(stringSpec(), std::string(good)), std::string());
    // Cut short, a lone continuation, overlong, a surrogate, beyond U+10FFFF.
    for (const char* bad :
         {"\xE2\x82", "\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
      QCOMPARE(whyInvalid(stringSpec(), std::string(bad)), std::string("the text is not valid UTF-8"));
    }
  }

  void describesItself() {
    const nlohmann::json json = toJson(alignmentSpec());
    QCOMPARE(json["type"].get<std::string>(), std::string("int"));
    QCOMPARE(json["min"].dump(), std::string("16"));
    QCOMPARE(json["max"].dump(), std::string("4096"));
    QCOMPARE(json["default"].dump(), std::string("16"));
    QVERIFY(json["power_of_two"].get<bool>());
    QVERIFY(!json.contains("choices"));
    QVERIFY(!toJson(boolSpec()).contains("min"));
  }

 private:
  static void roundTripOf(const OptionSpec& option, const OptionValue& value) {
    const std::string text = formatValue(value);
    QVERIFY2(parseValue(option, text) == value, text.c_str());
    const std::string json = valueToJson(value).dump();
    QVERIFY2(valueFromJson(option, nlohmann::json::parse(json)) == value, json.c_str());
  }
};

QTEST_APPLESS_MAIN(TestOptionValues)
#include "tst_option_values.moc"
