#include "gui/repair_page.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QTableView>

#include "gui/profile_models.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

namespace {

QString keptText(const options::Profile& profile) {
  QStringList kept{RepairPage::tr("backend %1").arg(QString::fromStdString(profile.backend))};
  for (const options::OptionSet* set : {&profile.exportOptions, &profile.runtimeOptions}) {
    for (const options::OptionSpec& spec : set->specs()) {
      if (set->isSet(spec.key))
        kept << QString::fromStdString(spec.key + " " + options::formatValue(set->value(spec.key)));
    }
  }
  return RepairPage::tr("Kept: %1.").arg(kept.join(QLatin1String(", ")));
}

QTableView* problemTable(QAbstractItemModel* model) {
  auto* table = new QTableView;
  table->setObjectName(QStringLiteral("problems"));
  table->setAccessibleName(RepairPage::tr("What is not valid"));
  table->setProperty("look", "framed");
  table->setModel(model);
  table->setShowGrid(false);
  table->setWordWrap(true);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  QHeaderView* header = table->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionResizeMode(QHeaderView::Interactive);
  header->setSectionResizeMode(ProblemsModel::ReasonColumn, QHeaderView::Stretch);
  const int unit = table->fontMetrics().averageCharWidth();
  table->setColumnWidth(ProblemsModel::WhereColumn, 40 * unit);
  table->setColumnWidth(ProblemsModel::GivenColumn, 24 * unit);
  table->setColumnWidth(ProblemsModel::TakenColumn, 20 * unit);
  return table;
}

}  // namespace

RepairPage::RepairPage(const options::ProfileResult& result, const QString& name, const QString& path) {
  setObjectName(QStringLiteral("repairPage"));
  setProperty("look", "panel");
  setAttribute(Qt::WA_StyledBackground);
  auto* title = label(tr("“%1” cannot be used as it is").arg(name), FontRole::Title);
  const auto count = result.problems.size();
  auto* what = label(count == 1 ? tr("One entry is not valid here; all others are kept.")
                                : tr("%1 entries are not valid here; all others are kept.").arg(count));
  auto* kept = label(keptText(result.profile), FontRole::Body, "secondary");
  kept->setObjectName(QStringLiteral("kept"));
  kept->setWordWrap(true);
  auto* place = new ElidedLabel;
  place->setFullText(tr("%1 stays as it is until you replace it.").arg(shortPath(path)));
  place->setProperty("look", "secondary");
  auto* use = new QPushButton(tr("Use the valid rest"));
  use->setObjectName(QStringLiteral("useRest"));
  use->setAccessibleName(use->text());
  use->setProperty("look", "primary");
  auto* replace = new QPushButton(tr("Replace the file by it"));
  replace->setObjectName(QStringLiteral("replaceFile"));
  replace->setAccessibleName(replace->text());
  replace->setEnabled(!path.isEmpty());
  auto* close = new QPushButton(tr("Close"));
  close->setObjectName(QStringLiteral("closePage"));
  close->setAccessibleName(tr("Close, and change nothing"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(grid::kGap);
  buttons->addWidget(place, 1);
  buttons->addWidget(close);
  buttons->addWidget(replace);
  buttons->addWidget(use);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kMargin, grid::kMargin, grid::kMargin, grid::kMargin);
  column->setSpacing(grid::kGap);
  column->addWidget(title);
  column->addWidget(what);
  column->addWidget(kept);
  column->addWidget(problemTable(new ProblemsModel(result.problems, this)), 1);
  column->addLayout(buttons);
  connect(use, &QPushButton::clicked, this, &RepairPage::useWanted);
  connect(replace, &QPushButton::clicked, this, &RepairPage::replaceWanted);
  connect(close, &QPushButton::clicked, this, &RepairPage::closeWanted);
  setFocusProxy(use);
}

}  // namespace exportdeck::gui
