#include "gui/options_panel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

#include "gui/options_model.h"
#include "gui/options_view.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

OptionsPanel::OptionsPanel(QWidget* parent)
    : QWidget(parent),
      export_(new OptionsModel(this)),
      runtime_(new OptionsModel(this)),
      filter_(new OptionsFilter(this)) {
  filter_->setSourceModel(export_);
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("optionTabs"));
  tabs_->addTab(tr("Export options"));
  tabs_->addTab(tr("Runtime options"));
  tabs_->setExpanding(false);
  nameWidget(tabs_, tr("Kinds of options"));
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("optionSearch"));
  search_->setPlaceholderText(tr("Filter options"));
  search_->setClearButtonEnabled(true);
  search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search_->setAccessibleName(tr("Filter options"));
  search_->setFixedWidth(200);
  onlyChanged_ = new QCheckBox(tr("Only changed"));
  onlyChanged_->setObjectName(QStringLiteral("onlyChanged"));
  onlyChanged_->setAccessibleName(tr("Show only changed options"));
  resetAll_ = textButton(icon(QStringLiteral("reset")), tr("Reset all"), tr("Reset all options to their defaults"));
  resetAll_->setObjectName(QStringLiteral("resetAll"));
  resetAll_->setProperty("look", "quiet");
  note_ = label(tr("Kept in the profile for the program that loads the result; they do not change the file."),
                FontRole::Small, "secondary");
  view_ = new OptionsView;
  view_->setModel(filter_);
  nothing_ = label(QString(), FontRole::Body, "secondary");
  nothing_->setAlignment(Qt::AlignCenter);

  auto* top = new QHBoxLayout;
  top->setSpacing(grid::kGap);
  top->addWidget(tabs_);
  top->addStretch();
  top->addWidget(onlyChanged_);
  top->addWidget(search_);
  top->addWidget(resetAll_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(grid::kGap);
  column->addLayout(top);
  column->addWidget(note_);
  column->addWidget(view_, 1);
  auto* over = new QVBoxLayout(view_->viewport());
  over->addWidget(nothing_);

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
  for (OptionsModel* model : {export_, runtime_}) {
    connect(model, &OptionsModel::edited, this, [this] {
      refresh();
      emit edited();
    });
  }
  showTab(ExportTab);
}

OptionsModel& OptionsPanel::shown() const {
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
  filter_->setSourceModel(tab == RuntimeTab ? runtime_ : export_);
  note_->setVisible(tab == RuntimeTab);
  view_->setAccessibleName(tabs_->tabText(tab));
  refresh();
}

void OptionsPanel::refresh() {
  resetAll_->setEnabled(shown().changedCount() > 0);
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

int OptionsPanel::invalidCount() const {
  return export_->invalidCount() + runtime_->invalidCount();
}

QString OptionsPanel::firstReason() const {
  const OptionsModel& model = export_->invalidCount() > 0 ? *export_ : *runtime_;
  const int row = model.firstInvalidRow();
  if (row < 0) return {};
  const QModelIndex index = model.index(row, OptionsModel::OptionColumn);
  return tr("%1: %2").arg(index.data().toString(), index.data(OptionsModel::ReasonRole).toString());
}

void OptionsPanel::showFirstInvalid() {
  tabs_->setCurrentIndex(export_->invalidCount() > 0 ? ExportTab : RuntimeTab);
  const int row = shown().firstInvalidRow();
  if (row < 0) return;
  search_->clear();
  onlyChanged_->setChecked(false);
  view_->editRow(filter_->mapFromSource(shown().index(row, OptionsModel::ValueColumn)).row());
}

void OptionsPanel::resetAll() {
  before_ = shown().options();
  beforeTab_ = tabs_->currentIndex();
  const int count = shown().changedCount();
  shown().resetAll();
  emit resetAllDone(count);
}

void OptionsPanel::restore() {
  (beforeTab_ == RuntimeTab ? runtime_ : export_)->setOptions(before_);
}

}  // namespace exportdeck::gui
