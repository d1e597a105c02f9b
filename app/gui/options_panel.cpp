#include "gui/options_panel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

#include "gui/option_explainer.h"
#include "gui/options_model.h"
#include "gui/options_view.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

namespace {

QToolButton* tool(const char* iconName, const QString& name, const char* objectName) {
  QToolButton* button = iconButton(QString::fromLatin1(iconName), name);
  button->setObjectName(QString::fromLatin1(objectName));
  return button;
}

}  // namespace

OptionsPanel::OptionsPanel(QWidget* parent)
    : QWidget(parent),
      export_(new OptionsModel(this)),
      runtime_(new OptionsModel(this)),
      sizes_(new SizesModel(this)),
      filter_(new OptionsFilter(this)),
      body_(new QHBoxLayout) {
  filter_->setSourceModel(export_);
  QLayout* top = makeTools();
  note_ = label(QString(), FontRole::Small, "secondary");
  note_->setObjectName(QStringLiteral("optionsNote"));
  note_->setWordWrap(true);
  view_ = new OptionsView;
  view_->setModel(filter_);
  nothing_ = label(QString(), FontRole::Body, "secondary");
  nothing_->setAlignment(Qt::AlignCenter);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(grid::kGap);
  column->addLayout(top);
  column->addWidget(note_);
  body_->setSpacing(grid::kGap);
  body_->addWidget(view_, 1);
  column->addLayout(body_, 1);
  auto* over = new QVBoxLayout(view_->viewport());
  over->addWidget(nothing_);
  connectParts();
  showTab(ExportTab);
}

// An editor that is open closes with the table, and nobody is left to be told.
OptionsPanel::~OptionsPanel() {
  view_->disconnect(this);
  view_->selectionModel()->disconnect(this);
  export_->disconnect(this);
  runtime_->disconnect(this);
  sizes_->disconnect(this);
}

QLayout* OptionsPanel::makeTools() {
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("optionTabs"));
  tabs_->addTab(tr("Export options"));
  tabs_->addTab(tr("Runtime options"));
  tabs_->addTab(tr("Sizes"));
  tabs_->setTabVisible(SizesTab, false);
  tabs_->setExpanding(false);
  tabs_->setUsesScrollButtons(false);
  tabs_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  nameWidget(tabs_, tr("Kinds of options"));
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("optionSearch"));
  search_->setPlaceholderText(tr("Filter"));
  search_->setClearButtonEnabled(true);
  search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search_->setAccessibleName(tr("Filter options"));
  holdWidth(search_, 96, 200);
  onlyChanged_ = new QCheckBox(tr("Only changed"));
  onlyChanged_->setObjectName(QStringLiteral("onlyChanged"));
  onlyChanged_->setAccessibleName(tr("Show only changed options"));
  resetAll_ = textButton(icon(QStringLiteral("reset")), tr("Reset all"), tr("Reset all options to their defaults"));
  resetAll_->setObjectName(QStringLiteral("resetAll"));
  resetAll_->setProperty("look", "quiet");
  undo_ = tool("undo", tr("Undo"), "undoOption");
  redo_ = tool("redo", tr("Redo"), "redoOption");
  explain_ = tool("info", tr("Explain the selected option (F1)"), "explainOption");
  explain_->setCheckable(true);
  auto* top = new QHBoxLayout;
  top->setSpacing(grid::kUnit);
  top->addWidget(tabs_);
  top->addStretch();
  top->addWidget(onlyChanged_);
  top->addSpacing(grid::kUnit);
  top->addWidget(search_, 1);
  top->addWidget(undo_);
  top->addWidget(redo_);
  top->addWidget(resetAll_);
  top->addWidget(explain_);
  return top;
}

void OptionsPanel::connectParts() {
  connect(tabs_, &QTabBar::currentChanged, this, &OptionsPanel::showTab);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->setText(text);
    refresh();
  });
  connect(onlyChanged_, &QCheckBox::toggled, this, [this](bool only) {
    filter_->setOnlyChanged(only);
    refresh();
  });
  connect(resetAll_, &QPushButton::clicked, this, &OptionsPanel::resetAll);
  connect(undo_, &QToolButton::clicked, this, &OptionsPanel::undoWanted);
  connect(redo_, &QToolButton::clicked, this, &OptionsPanel::redoWanted);
  connect(explain_, &QToolButton::toggled, this, &OptionsPanel::showExplainer);
  connect(view_, &OptionsView::explainWanted, this, &OptionsPanel::explain);
  connect(view_, &OptionsView::copyWanted, this, [this] { QApplication::clipboard()->setText(selectedRows()); });
  connect(view_, &OptionsView::pasteWanted, this, [this] { paste(QApplication::clipboard()->text()); });
  connect(view_, &OptionsView::editingEnded, this, &OptionsPanel::editingEnded);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &OptionsPanel::refreshExplainer);
  connect(export_, &OptionsModel::edited, this, &OptionsPanel::takeBound);
  connect(sizes_, &OptionsModel::edited, this, &OptionsPanel::giveBound);
  for (OptionsModel* model : {export_, runtime_}) {
    connect(model, &OptionsModel::edited, this, [this] {
      if (pasting_) return;
      refresh();
      emit edited();
    });
  }
}

OptionsModel& OptionsPanel::shown() const {
  if (tabs_->currentIndex() == SizesTab) return *sizes_;
  return tabs_->currentIndex() == RuntimeTab ? *runtime_ : *export_;
}

void OptionsPanel::setOptions(options::OptionSet exportOptions, options::OptionSet runtimeOptions) {
  const bool hasRuntime = !runtimeOptions.specs().empty();
  export_->setOptions(std::move(exportOptions));
  runtime_->setOptions(std::move(runtimeOptions));
  tabs_->setTabVisible(RuntimeTab, hasRuntime);
  if (!hasRuntime) tabs_->setCurrentIndex(ExportTab);
  refresh();
}

void OptionsPanel::showTab(int tab) {
  filter_->setSourceModel(&shown());
  showNote();
  view_->setAccessibleName(tabs_->tabText(tab));
  refresh();
}

void OptionsPanel::refresh() {
  resetAll_->setEnabled(shown().changedCount() > 0);
  refreshExplainer();
  const bool empty = filter_->rowCount() == 0;
  nothing_->setVisible(empty);
  if (!empty) return;
  if (shown().rowCount() == 0)
    nothing_->setText(tr("This backend has no options."));
  else if (onlyChanged_->isChecked() && search_->text().isEmpty())
    nothing_->setText(tr("All options have their defaults."));
  else
    nothing_->setText(tr("No option matches “%1”.").arg(search_->text()));
}

// Words that are no number are wrong as a size and in the option that holds it, and count once.
int OptionsPanel::invalidCount() const {
  return export_->invalidCount() + runtime_->invalidCount() + (boundIsWrong() ? 0 : sizes_->invalidCount());
}

QString OptionsPanel::firstReason() const {
  for (const OptionsModel* model : {export_, runtime_, static_cast<OptionsModel*>(sizes_)}) {
    const int row = model->firstInvalidRow();
    if (row < 0) continue;
    const QModelIndex index = model->index(row, OptionsModel::OptionColumn);
    return tr("%1: %2").arg(index.data().toString(), index.data(OptionsModel::ReasonRole).toString());
  }
  return {};
}

void OptionsPanel::showFirstInvalid() {
  const bool onlyBound = boundIsWrong() && export_->invalidCount() == 1 && sizes_->invalidCount() > 0;
  if (export_->invalidCount() > 0 && !onlyBound)
    tabs_->setCurrentIndex(ExportTab);
  else
    tabs_->setCurrentIndex(runtime_->invalidCount() > 0 ? RuntimeTab : SizesTab);
  const int row = shown().firstInvalidRow();
  if (row < 0) return;
  search_->clear();
  onlyChanged_->setChecked(false);
  view_->editRow(filter_->mapFromSource(shown().index(row, OptionsModel::ValueColumn)).row());
}

void OptionsPanel::showOption(const QString& key) {
  const bool isExport = export_->rowOf(key) >= 0;
  const bool isBound = isExport && export_->rowOf(key) == boundRow() && tabs_->isTabVisible(SizesTab);
  if (isBound) return tabs_->setCurrentIndex(SizesTab);
  tabs_->setCurrentIndex(isExport ? ExportTab : RuntimeTab);
  const QModelIndex source = shown().index(shown().rowOf(key), OptionsModel::ValueColumn);
  const QModelIndex index = filter_->mapFromSource(source);
  if (index.isValid()) view_->setCurrentIndex(index);
}

void OptionsPanel::resetAll() {
  beforeTab_ = tabs_->currentIndex();
  OptionsModel& kept = beforeTab_ == RuntimeTab ? *runtime_ : *export_;
  before_ = kept.state();
  const int count = shown().changedCount();
  if (beforeTab_ == SizesTab)
    export_->setData(export_->index(boundRow(), OptionsModel::ValueColumn), {}, OptionsModel::ResetRole);
  else
    shown().resetAll();
  emit resetAllDone(count);
}

void OptionsPanel::restore() {
  (beforeTab_ == RuntimeTab ? runtime_ : export_)->restore(before_);
}

void OptionsPanel::setHistory(bool canUndo, const QString& undo, bool canRedo, const QString& redo) {
  undo_->setEnabled(canUndo);
  redo_->setEnabled(canRedo);
  undo_->setToolTip(canUndo ? tr("Undo: %1 (Ctrl+Z)").arg(undo) : tr("Nothing to undo"));
  redo_->setToolTip(canRedo ? tr("Redo: %1 (Ctrl+Shift+Z)").arg(redo) : tr("Nothing to redo"));
}

void OptionsPanel::showExplainer(bool on) {
  if (!explainer_) {
    explainer_ = new OptionExplainer;
    holdWidth(explainer_, 232, 232);
    body_->addWidget(explainer_);
  }
  explainer_->setVisible(on);
  refreshExplainer();
}

void OptionsPanel::refreshExplainer() {
  if (isExplaining() && explainer_) explainer_->show(view_->currentIndex());
}

void OptionsPanel::explain() {
  explain_->toggle();
}

bool OptionsPanel::isExplaining() const {
  return explain_->isChecked();
}

QString OptionsPanel::selectedRows() const {
  QStringList lines;
  QModelIndexList rows = view_->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  for (const QModelIndex& row : rows) lines << shown().setting(filter_->mapToSource(row).row());
  return lines.join(QLatin1Char('\n'));
}

void OptionsPanel::paste(const QString& text) {
  QStringList problems;
  int taken = 0;
  pasting_ = true;
  for (QString line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    line = line.trimmed();
    if (line.isEmpty()) continue;
    const QString key = line.section(QLatin1Char('='), 0, 0).trimmed();
    OptionsModel& other = &shown() == export_ ? *runtime_ : *export_;
    OptionsModel& model = shown().rowOf(key) < 0 && other.rowOf(key) >= 0 ? other : shown();
    const QString problem = model.take(line);
    problem.isEmpty() ? ++taken : (problems << problem, 0);
  }
  pasting_ = false;
  if (taken > 0) {
    refresh();
    emit edited();
  }
  if (problems.isEmpty() && taken == 0) problems << tr("The clipboard holds no lines of the form KEY=VALUE");
  if (problems.isEmpty()) return;
  emit told({Tone::Warning,
             problems.size() == 1 ? tr("One row was not pasted") : tr("%1 rows were not pasted").arg(problems.size()),
             problems.join(QLatin1Char('\n')),
             {}});
}

}  // namespace exportdeck::gui
