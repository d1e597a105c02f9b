// Random sets of options go from the table through a profile and the command line into the report unchanged, and random
// wrong ones are refused by name.
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/theme.h"
#include "options/catalogue.h"
#include "services/export_process.h"
#include "services/profile_store.h"
#include "support/files.h"
#include "support/run_program.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::tests::repositoryFile;
using exportdeck::tests::runExportDeck;
using nlohmann::json;
using options::OptionSpec;
using options::OptionType;

namespace {

constexpr int kSets = 200;    // in the process alone
constexpr int kExports = 10;  // with a run of the command line each

class Random {
 public:
  explicit Random(quint32 seed) : generator_(seed) {}
  int below(int limit) { return generator_.bounded(limit); }
  bool flip() { return below(2) == 0; }

  std::string word() {
    static const QStringList pieces{"aten.mul.Tensor", "x",     "é…", "a,b", "back\\slash", "two words",
                                    "'quoted'",        "$HOME", "-o", "=",   "[1]"};
    return pieces[below(static_cast<int>(pieces.size()))].toStdString();
  }

  options::OptionValue valid(const OptionSpec& spec) {
    switch (spec.type) {
      case OptionType::Bool:
        return flip();
      case OptionType::Int:
        return integer(spec);
      case OptionType::Float:
        return spec.minimum.value_or(-1e9) +
               generator_.generateDouble() * (spec.maximum.value_or(1e9) - spec.minimum.value_or(-1e9));
      case OptionType::Enum:
        return spec.choices[static_cast<size_t>(below(static_cast<int>(spec.choices.size())))];
      case OptionType::String:
        if (!spec.choices.empty())
          return spec.choices[static_cast<size_t>(below(static_cast<int>(spec.choices.size())))];
        return "/tmp/" + word() + std::to_string(below(100));
      case OptionType::List:
        break;
    }
    std::vector<std::string> items;
    for (int count = below(4); count > 0; --count) {
      const std::string item = listItem(spec, count);
      if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
    }
    return items;
  }

  // Words that cannot be a value of the option; "" where there are none.
  std::string invalid(const OptionSpec& spec) {
    switch (spec.type) {
      case OptionType::Bool:
        return flip() ? "1" : "maybe";
      case OptionType::Int:
      case OptionType::Float:
        if (spec.maximum && flip()) return std::to_string(static_cast<int64_t>(*spec.maximum) + 1 + below(1000));
        if (spec.minimum && flip()) return std::to_string(static_cast<int64_t>(*spec.minimum) - 1 - below(1000));
        return flip() ? "1e999" : "wide";
      case OptionType::Enum:
        return "no-such-choice";
      case OptionType::String:
        if (!spec.choices.empty()) return "no-such-name";
        return spec.maximum ? std::string(static_cast<size_t>(*spec.maximum) + 1, 'x') : "";
      case OptionType::List:
        break;
    }
    return flip() ? "a,,b" : "a,a";
  }

 private:
  std::string listItem(const OptionSpec& spec, int number) {
    const std::string digits = std::to_string(number);
    if (spec.sizes) return "s" + digits + "=" + std::to_string(1 + below(1000));
    if (spec.choices.empty()) return word() + digits;
    return spec.choices[static_cast<size_t>(below(static_cast<int>(spec.choices.size())))];
  }

  options::OptionValue integer(const OptionSpec& spec) {
    const auto least = static_cast<int64_t>(spec.minimum.value_or(-1000)),
               most = static_cast<int64_t>(spec.maximum.value_or(1000));
    if (!spec.powerOfTwo) return least + below(static_cast<int>(most - least + 1));
    int64_t value = least;
    while (value * 2 <= most && below(3) > 0) value *= 2;
    return value;
  }

  QRandomGenerator generator_;
};

}  // namespace

class TstGuiRoundTrip : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    theme_ = std::make_unique<Theme>(*qApp);
    qputenv("XDG_CONFIG_HOME", folder_.filePath("config").toUtf8());
  }
  void cleanupTestCase() { theme_.reset(); }

  void everyBackend();
  void throughTheProgram();
  void wrongOnesAreRefused();
  void wrongOnesAreRefusedByTheProgram();

 private:
  // Fills both tables with words, as editors do. Sizes are of symbols that no model has, so they can be left out.
  void fill(OptionsPanel& panel, Random& random, bool withSizes = true) {
    for (OptionsModel* model : {&panel.exportModel(), &panel.runtimeModel()}) {
      for (int row = 0; row < model->rowCount(); ++row) {
        if (random.below(3) == 0) continue;
        const QModelIndex index = model->index(row, OptionsModel::ValueColumn);
        const OptionSpec& spec = *index.data(OptionsModel::SpecRole).value<const OptionSpec*>();
        if (spec.sizes && !withSizes) continue;
        const options::OptionValue value = random.valid(spec);
        const QVariant words = spec.type == OptionType::Bool
                                   ? QVariant(std::get<bool>(value))
                                   : QVariant(QString::fromStdString(options::formatValue(value)));
        QVERIFY(model->setData(index, words, Qt::EditRole));
        QVERIFY2(model->options().value(spec.key) == value, qPrintable(words.toString()));
      }
    }
    QCOMPARE(panel.invalidCount(), 0);
  }
  static options::Profile profileOf(const OptionsPanel& panel, const options::BackendEntry& entry) {
    return {"random", entry.id, panel.exportModel().options(), panel.runtimeModel().options()};
  }
  static void take(OptionsPanel& panel, const options::BackendEntry& entry) {
    panel.setOptions(options::OptionSet(entry.exportOptions), options::OptionSet(entry.runtimeOptions));
  }

  QTemporaryDir folder_;
  std::unique_ptr<Theme> theme_;
};

// Table -> profile -> table, and table -> lines -> table, for all backends of the catalogue.
void TstGuiRoundTrip::everyBackend() {
  Random random(5);
  const auto& entries = options::Catalogue::builtIn().entries();
  OptionsPanel first, second;
  for (int round = 0; round < kSets; ++round) {
    const options::BackendEntry& entry = entries[static_cast<size_t>(round) % entries.size()];
    take(first, entry);
    fill(first, random);
    const std::string text = options::writeProfile(profileOf(first, entry));
    const options::Profile read = options::loadProfile(text, options::Catalogue::builtIn());
    QCOMPARE(read.exportOptions.resolvedToJson().dump(), first.exportModel().options().resolvedToJson().dump());
    QCOMPARE(read.runtimeOptions.resolvedToJson().dump(), first.runtimeModel().options().resolvedToJson().dump());
    take(second, entry);
    QSignalSpy told(&second, &OptionsPanel::told);
    const QStringList lines = first.exportModel().settings();
    if (!lines.isEmpty()) second.paste(lines.join('\n'));
    QVERIFY2(told.isEmpty(), qPrintable(lines.join('\n')));
    QCOMPARE(second.exportModel().options().resolvedToJson().dump(), read.exportOptions.resolvedToJson().dump());
  }
}

void TstGuiRoundTrip::throughTheProgram() {
  Random random(7);
  const QString source = QString::fromStdString(repositoryFile("resources/samples/digits.pt2"));
  for (int round = 0; round < kExports; ++round) {
    const options::BackendEntry& entry = *options::Catalogue::builtIn().find(round % 2 == 0 ? "xnnpack" : "portable");
    OptionsPanel panel;
    take(panel, entry);
    fill(panel, random, false);
    services::ExportJob job;
    job.source = source;
    job.output = folder_.filePath("out.pte");
    job.replace = true;
    if (round % 4 < 2) {
      job.profile = folder_.filePath("random.json");
      services::ProfileStore::saveTo(profileOf(panel, entry), job.profile);
    } else {
      job.backend = QString::fromStdString(entry.id);
      job.settings = panel.exportModel().settings();
      job.runtimeSettings = panel.runtimeModel().settings();
    }
    // As the shell reads the line that the window shows, with the program put in its place.
    QString line = job.commandLine() + " --json";
    line.replace(0, QStringLiteral("exportdeck").size(), tests::programPath("exportdeck"));
    QProcess shell;
    shell.start("sh", {"-c", line});
    QVERIFY(shell.waitForFinished());
    const json report = json::parse(shell.readAllStandardOutput().toStdString(), nullptr, false);
    QVERIFY2(report.is_object() && report["exit"] == 0, shell.readAllStandardError().constData());
    QCOMPARE(report["options"].dump(), panel.exportModel().options().resolvedToJson().dump());
    if (!entry.runtimeOptions.empty())
      QCOMPARE(report["runtime_options"][entry.runtimeId].dump(),
               panel.runtimeModel().options().resolvedToJson().dump());
    const auto again = runExportDeck({"export", "--from", folder_.filePath("out.export.json"), "-o",
                                      folder_.filePath("again.pte"), "--force", "--json"});
    QCOMPARE(again.exit, 0);
    QCOMPARE(json::parse(again.output.toStdString())["output"]["hash"].dump(), report["output"]["hash"].dump());
  }
}

// By the table, by pasted lines and by profiles: the key is named and the value stays what it was.
void TstGuiRoundTrip::wrongOnesAreRefused() {
  Random random(11);
  const auto& entries = options::Catalogue::builtIn().entries();
  OptionsPanel panel;
  for (int round = 0; round < kSets; ++round) {
    const options::BackendEntry& entry = entries[static_cast<size_t>(round) % entries.size()];
    if (entry.exportOptions.empty()) continue;
    take(panel, entry);
    const OptionSpec& spec =
        entry.exportOptions[static_cast<size_t>(random.below(static_cast<int>(entry.exportOptions.size())))];
    const std::string words = random.invalid(spec);
    if (words.empty()) continue;
    const QString line = QString::fromStdString(spec.key + "=" + words);
    QSignalSpy told(&panel, &OptionsPanel::told);
    panel.paste(line);
    QCOMPARE(told.size(), 1);
    QVERIFY2(told.front().front().value<Message>().detail.startsWith(QString::fromStdString(spec.key)),
             qPrintable(line));
    QCOMPARE(panel.exportModel().changedCount(), 0);
    OptionsModel& model = panel.exportModel();
    model.setData(model.index(model.rowOf(QString::fromStdString(spec.key)), OptionsModel::ValueColumn),
                  QString::fromStdString(words), Qt::EditRole);
    QCOMPARE(panel.invalidCount(), 1);
    QVERIFY2(panel.firstReason().startsWith(QString::fromStdString(spec.title)), qPrintable(panel.firstReason()));
    QVERIFY(model.options().value(spec.key) == spec.fallback);
    const json wrong = {{"exportdeck_profile", 1},
                        {"name", "w"},
                        {"backend", entry.id},
                        {"export_options", {{spec.key, json::object({{"no", 1}})}}}};
    const options::ProfileResult result = options::readProfile(wrong.dump(), options::Catalogue::builtIn());
    QCOMPARE(result.problems.size(), size_t{1});
    QCOMPARE(result.problems.front().key, "export_options." + spec.key);
  }
}

void TstGuiRoundTrip::wrongOnesAreRefusedByTheProgram() {
  Random random(13);
  const options::BackendEntry& entry = *options::Catalogue::builtIn().find("xnnpack");
  for (const auto* specs : {&entry.exportOptions, &entry.runtimeOptions}) {
    for (const OptionSpec& spec : *specs) {
      const std::string words = random.invalid(spec);
      if (words.empty()) continue;
      const auto result = runExportDeck({"export", "none.pt2", "-o", folder_.filePath("no.pte"),
                                         specs == &entry.exportOptions ? "--set" : "--set-runtime",
                                         QString::fromStdString(spec.key + "=" + words)});
      QCOMPARE(result.exit, 2);
      QVERIFY2(result.messages.contains(("\"" + spec.key + "\"").c_str()), result.messages.constData());
    }
  }
  QVERIFY(!QFile::exists(folder_.filePath("no.pte")));
}

QTEST_MAIN(TstGuiRoundTrip)
#include "tst_gui_round_trip.moc"
