#include "gui/compare_page.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QTableView>

#include "gui/profile_models.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

namespace {

qsizetype differences(const ComparePage::Side& a, const ComparePage::Side& b) {
  const auto rows = options::compareProfiles(a.profile, b.profile);
  return std::count_if(rows.begin(), rows.end(), [](const options::ProfileRow& row) { return !row.same(); });
}

}  // namespace

std::pair<int, int> ComparePage::usefulPair(const QList<Side>& sides, int left, int right) {
  if (differences(sides[left], sides[right]) > 0) return {left, right};
  for (int i = 0; i < sides.size(); ++i)
    if (differences(sides[left], sides[i]) > 0) return {left, i};
  return {left, right};
}

ComparePage::ComparePage(QList<Side> sides, int left, int right)
    : sides_(std::move(sides)),
      model_(new ComparisonModel(this)),
      onlyDifferences_(new QCheckBox(tr("Only differences"))),
      count_(label(QString(), FontRole::Body, "secondary")),
      nothing_(label(QString(), FontRole::Body, "secondary")) {
  setObjectName(QStringLiteral("comparePage"));
  setProperty("look", "panel");
  setAttribute(Qt::WA_StyledBackground);
  auto* head = new QHBoxLayout;
  head->setSpacing(grid::kGap);
  head->addWidget(label(tr("Compare profiles"), FontRole::Title));
  head->addSpacing(grid::kMargin);
  const QString names[] = {tr("Left profile"), tr("Right profile")};
  for (int column : {0, 1}) {
    QComboBox* combo = choices_[column] = new QComboBox;
    combo->setObjectName(column == 0 ? QStringLiteral("leftProfile") : QStringLiteral("rightProfile"));
    combo->setAccessibleName(names[column]);
    holdWidth(combo, 180);
    for (const Side& side : sides_) combo->addItem(side.name);
    combo->setCurrentIndex(column == 0 ? left : right);
    if (column == 1) head->addWidget(label(tr("and"), FontRole::Body, "secondary"));
    head->addWidget(combo);
    connect(combo, &QComboBox::currentIndexChanged, this, &ComparePage::refresh);
  }
  head->addStretch();
  auto* close = new QPushButton(tr("Close"));
  close->setObjectName(QStringLiteral("closePage"));
  close->setAccessibleName(tr("Close the comparison"));
  head->addWidget(close);
  auto* second = new QHBoxLayout;
  onlyDifferences_->setObjectName(QStringLiteral("onlyDifferences"));
  onlyDifferences_->setAccessibleName(tr("Show only differences"));
  onlyDifferences_->setChecked(true);
  second->addWidget(count_);
  second->addStretch();
  second->addWidget(onlyDifferences_);
  auto* table = new QTableView;
  table->setObjectName(QStringLiteral("comparison"));
  table->setAccessibleName(tr("The two profiles side by side"));
  table->setProperty("look", "framed");
  table->setModel(model_);
  table->setShowGrid(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  nothing_->setObjectName(QStringLiteral("nothingToCompare"));
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  (new QVBoxLayout(table->viewport()))->addWidget(nothing_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kMargin, grid::kMargin, grid::kMargin, grid::kMargin);
  column->setSpacing(grid::kGap);
  column->addLayout(head);
  column->addLayout(second);
  column->addWidget(table, 1);
  connect(onlyDifferences_, &QCheckBox::toggled, this, &ComparePage::refresh);
  connect(close, &QPushButton::clicked, this, &ComparePage::closeWanted);
  setFocusProxy(choices_[0]);
  refresh();
}

void ComparePage::refresh() {
  options::Profile left = sides_[choices_[0]->currentIndex()].profile;
  options::Profile right = sides_[choices_[1]->currentIndex()].profile;
  left.name = choices_[0]->currentText().toStdString();
  right.name = choices_[1]->currentText().toStdString();
  model_->setProfiles(left, right, onlyDifferences_->isChecked());
  const int count = model_->differences();
  count_->setText(count == 0   ? tr("Both set the same.")
                  : count == 1 ? tr("They differ in one setting.")
                               : tr("They differ in %1 settings.").arg(count));
  nothing_->setVisible(model_->rowCount() == 0);
  const bool alone = std::all_of(sides_.begin(), sides_.end(),
                                 [this](const Side& side) { return differences(sides_.front(), side) == 0; });
  nothing_->setText(
      alone ? tr("There is only one set of values so far. Change an option, or save a profile under another name: then "
                 "there is something to compare.")
            : tr("Both set the same. Choose another profile above, or take the tick from “Only differences” to see "
                 "every setting."));
}

}  // namespace exportdeck::gui
