#include "gui/setup_pane.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>

#include "gui/backend_model.h"
#include "gui/check_bar.h"
#include "gui/command_field.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "gui/output_bar.h"
#include "gui/state_command.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

namespace {

// What both backends know keeps its value when the backend changes.
void carryOver(const options::OptionSet& from, options::OptionSet& to) {
  for (const options::OptionSpec& spec : from.specs()) {
    const options::OptionSpec* target = to.find(spec.key);
    if (!from.isSet(spec.key) || !target || target->type != spec.type) continue;
    if (options::whyInvalid(*target, from.value(spec.key)).empty()) to.set(spec.key, from.value(spec.key));
  }
}

}  // namespace

SetupPane::SetupPane(const options::Catalogue& catalogue, QWidget* parent) : QWidget(parent), catalogue_(catalogue) {
  setProperty("look", "panel");
  setAttribute(Qt::WA_StyledBackground);
  backends_ = new BackendCombo(catalogue);
  holdWidth(backends_, 220);
  QLabel* caption = rowCaption(tr("&Backend"), backends_);
  note_ = new ElidedLabel(Qt::ElideRight);
  note_->setObjectName(QStringLiteral("backendNote"));
  note_->setProperty("look", "secondary");
  options_ = new OptionsPanel;
  output_ = new OutputBar;
  check_ = new CheckBar;

  auto* top = new QHBoxLayout;
  top->setSpacing(grid::kGap);
  top->addWidget(caption);
  top->addWidget(backends_);
  top->addSpacing(grid::kGap);
  top->addWidget(note_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kMargin, grid::kMargin - grid::kUnit, grid::kMargin, grid::kMargin - grid::kUnit);
  column->setSpacing(grid::kGap);
  column->addLayout(top);
  column->addWidget(options_, 1);
  column->addWidget(output_);
  column->addWidget(check_);
  column->addWidget(makeGo());

  connect(backends_, &QComboBox::currentIndexChanged, this, [this] {
    takeBackend(Values::Keep);
    record();
    emit edited();
  });
  connect(options_, &OptionsPanel::edited, this, [this] {
    if (settling_) return;
    record();
    refresh();
    emit edited();
  });
  connect(options_, &OptionsPanel::editingEnded, this, [this] { ++series_; });
  const auto undo = [this] {
    if (!exporting_) history_.undo();
  };
  const auto redo = [this] {
    if (!exporting_) history_.redo();
  };
  connect(options_, &OptionsPanel::undoWanted, this, undo);
  connect(options_, &OptionsPanel::redoWanted, this, redo);
  connect(new QShortcut(QKeySequence::Undo, this), &QShortcut::activated, this, undo);
  connect(new QShortcut(QKeySequence::Redo, this), &QShortcut::activated, this, redo);
  connect(&history_, &QUndoStack::indexChanged, this, &SetupPane::showHistory);
  connect(options_, &OptionsPanel::resetAllDone, this, &SetupPane::allReset);
  connect(output_, &OutputBar::edited, this, &SetupPane::refresh);
  connect(check_, &CheckBar::edited, this, &SetupPane::refresh);
  takeBackend(Values::Default);
  forgetHistory();
}

QWidget* SetupPane::makeGo() {
  auto* line = new QWidget;
  command_ = new CommandField;
  command_->setObjectName(QStringLiteral("commandLine"));
  useFont(command_, FontRole::Mono);
  command_->setAccessibleName(tr("The same as a command line"));
  QLabel* caption = rowCaption(tr("Comman&d"), command_);
  QToolButton* copy = iconButton(QStringLiteral("copy"), tr("Copy the command line"));
  copy->setObjectName(QStringLiteral("copyCommand"));
  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->text()); });
  blocker_ = label(QString(), FontRole::Small, "error");
  blocker_->setObjectName(QStringLiteral("blocker"));
  go_ = new QPushButton;
  go_->setObjectName(QStringLiteral("exportButton"));
  holdWidth(go_, 128);
  connect(go_, &QPushButton::clicked, this, &SetupPane::trigger);
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(grid::kGap);
  row->addWidget(caption);
  row->addWidget(command_, 1);
  row->addWidget(copy);
  row->addSpacing(grid::kGap);
  row->addWidget(blocker_);
  row->addWidget(go_);
  return line;
}

void SetupPane::takeBackend(Values values) {
  const options::BackendEntry* entry = catalogue_.find(backends_->backend().toStdString());
  options::OptionSet exportOptions(entry ? entry->exportOptions : std::vector<options::OptionSpec>{});
  options::OptionSet runtimeOptions(entry ? entry->runtimeOptions : std::vector<options::OptionSpec>{});
  if (values == Values::Keep) {
    carryOver(options_->exportModel().options(), exportOptions);
    carryOver(options_->runtimeModel().options(), runtimeOptions);
  }
  {
    const QScopedValueRollback settling(settling_, true);
    options_->setOptions(std::move(exportOptions), std::move(runtimeOptions));
  }
  note_->setFullText(backends_->isUsable() ? backends_->note() : tr("Not available: %1").arg(backends_->note()));
  setLook(note_, "look", backends_->isUsable() ? "secondary" : "error");
  output_->setBackend(backends_->backend());
  refresh();
}

void SetupPane::setSource(const QString& path, bool readable) {
  const bool other = path != source_;
  source_ = path;
  readable_ = readable;
  if (other) output_->setSource(path);
  refresh();
}

void SetupPane::setExporting(bool exporting) {
  exporting_ = exporting;
  if (exporting) sinceStart_.start();
  // The button is the one thing to use now; focus must not wander when its place is disabled.
  if (exporting) go_->setFocus();
  backends_->setEnabled(!exporting);
  options_->setEnabled(!exporting);
  output_->setEditable(!exporting);
  check_->setEditable(!exporting);
  if (!exporting) output_->recheck();
  refresh();
}

void SetupPane::setCancelling() {
  go_->setEnabled(false);
  go_->setText(tr("Cancelling…"));
}

QString SetupPane::blockReason() const {
  if (!readable_) return tr("Open a model that can be read.");
  if (!backends_->isUsable()) return tr("The backend is not available here.");
  if (const int wrong = options_->invalidCount())
    return wrong == 1 ? tr("1 value is wrong") : tr("%1 values are wrong").arg(wrong);
  if (!output_->reason().isEmpty()) return tr("The output cannot be written.");
  if (!check_->reason().isEmpty()) return tr("The check cannot be made.");
  return {};
}

QString SetupPane::blockDetail() const {
  if (!readable_) return {};
  if (!backends_->isUsable()) return backends_->note();
  if (options_->invalidCount() > 0) return options_->firstReason();
  return output_->reason().isEmpty() ? check_->reason() : output_->reason();
}

void SetupPane::showBlocker() {
  if (!backends_->isUsable()) return backends_->setFocus();
  if (options_->invalidCount() > 0) return options_->showFirstInvalid();
  if (output_->reason().isEmpty()) return check_->showBlocker();
  output_->findChild<QLineEdit*>(QStringLiteral("outputPath"))->setFocus();
}

void SetupPane::trigger() {
  // The second click of a double click on Export is no wish to cancel.
  if (exporting_ && sinceStart_.elapsed() < QApplication::doubleClickInterval()) return;
  if (exporting_)
    emit cancelWanted();
  else
    emit exportWanted();
}

void SetupPane::refresh() {
  const QString reason = blockReason();
  blocker_->setText(exporting_ ? QString() : reason);
  blocker_->setVisible(!blocker_->text().isEmpty());
  go_->setEnabled(exporting_ || readable_);
  go_->setText(exporting_ ? tr("Cancel") : tr("&Export"));
  go_->setAccessibleName(exporting_ ? tr("Cancel the export") : tr("Export"));
  go_->setAccessibleDescription(blocker_->text());
  go_->setToolTip(exporting_ ? tr("Cancel the export (Esc)") : tr("Export (Ctrl+E)"));
  setLook(go_, "look", exporting_ ? "cancel" : "primary");
  command_->setCommand(source_.isEmpty() ? QString() : job().commandLine());
  emit settingsChanged();
}

QMap<QString, QString> SetupPane::settings() const {
  QMap<QString, QString> all{
      {tr("Backend"), backends_->backend()}, {tr("Output"), output_->path()}, {tr("Check"), check_->verification()}};
  for (const OptionsModel* model : {&options_->exportModel(), &options_->runtimeModel()}) {
    for (int row = 0; row < model->rowCount(); ++row) {
      const QModelIndex index = model->index(row, OptionsModel::OptionColumn);
      if (index.data(OptionsModel::ChangedRole).toBool()) all.insert(index.data().toString(), model->setting(row));
    }
  }
  return all;
}

services::ExportJob SetupPane::job() const {
  services::ExportJob job;
  job.source = source_;
  job.output = output_->path();
  if (profile_.isEmpty()) {
    job.backend = backends_->backend();
    job.settings = options_->exportModel().settings();
    job.runtimeSettings = options_->runtimeModel().settings();
  } else {
    job.profile = profile_;
  }
  job.verify = check_->verification();
  job.keepRejected = check_->keepsRejected();
  job.replace = output_->replaces();
  return job;
}

options::Profile SetupPane::profile(const QString& name) const {
  return {name.toStdString(), backends_->backend().toStdString(), options_->exportModel().options(),
          options_->runtimeModel().options()};
}

void SetupPane::applyProfile(const options::Profile& profile) {
  {
    const QSignalBlocker quiet(backends_);
    const QScopedValueRollback settling(settling_, true);
    backends_->setBackend(QString::fromStdString(profile.backend));
    takeBackend(Values::Default);
    options_->setOptions(profile.exportOptions, profile.runtimeOptions);
  }
  record();
  refresh();
  emit edited();
}

void SetupPane::applyDefaults() {
  takeBackend(Values::Default);
  record();
  emit edited();
}

SetupPane::State SetupPane::state() const {
  return {backends_->backend(), options_->exportModel().state(), options_->runtimeModel().state()};
}

void SetupPane::restore(const State& wanted) {
  const State before = state();
  {
    const QSignalBlocker quiet(backends_);
    const QScopedValueRollback settling(settling_, true);
    if (before.backend != wanted.backend) {
      backends_->setBackend(wanted.backend);
      takeBackend(Values::Default);
    }
    options_->exportModel().restore(wanted.exports);
    options_->runtimeModel().restore(wanted.runtime);
  }
  recorded_ = wanted;
  ++series_;
  if (const QString key = changedOption(before, wanted); !key.isEmpty()) options_->showOption(key);
  refresh();
  emit edited();
}

void SetupPane::forgetHistory() {
  recorded_ = state();
  history_.clear();
  showHistory();
}

void SetupPane::showHistory() {
  options_->setHistory(history_.canUndo(), history_.undoText(), history_.canRedo(), history_.redoText());
}

namespace {

template <typename Map>
void addDiffering(const Map& a, const Map& b, QStringList& keys) {
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    const QString name = QString::fromStdString(key);
    if ((other == b.end() || !(other->second == value)) && !keys.contains(name)) keys << name;
  }
}

}  // namespace

// The key of the one option that differs, or "".
QString SetupPane::changedOption(const State& before, const State& after) const {
  QStringList keys;
  if (before.backend != after.backend) return {};
  for (const auto& [from, to] : {std::pair(&before, &after), std::pair(&after, &before)}) {
    addDiffering(from->exports.values, to->exports.values, keys);
    addDiffering(from->exports.wrong, to->exports.wrong, keys);
    addDiffering(from->runtime.values, to->runtime.values, keys);
    addDiffering(from->runtime.wrong, to->runtime.wrong, keys);
  }
  return keys.size() == 1 ? keys.front() : QString();
}

void SetupPane::record() {
  State now = state();
  if (settling_ || now == recorded_) return;
  using Command = StateCommand<SetupPane>;
  const QString key = changedOption(recorded_, now);
  int series = Command::kNoSeries;
  QString text = recorded_.backend == now.backend ? tr("Options") : tr("Backend %1").arg(now.backend);
  if (!key.isEmpty()) {
    const OptionsModel& exports = options_->exportModel();
    const bool isExport = exports.rowOf(key) >= 0;
    const OptionsModel& model = isExport ? exports : options_->runtimeModel();
    const options::OptionSpec& spec = *model.options().find(key.toStdString());
    text = QString::fromStdString(spec.title);
    if (options_->view().isEditing()) series = series_ * 1000 + model.rowOf(key) * 2 + (isExport ? 0 : 1);
  }
  State before = std::exchange(recorded_, now);
  history_.push(new Command(*this, std::move(before), std::move(now), text, series));
}

}  // namespace exportdeck::gui
