#include "gui/plan_page.h"

#include <QBoxLayout>
#include <QListView>
#include <QStackedLayout>
#include <QStringListModel>

#include "gui/share_bar.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

PlanPage::PlanPage(QWidget* parent)
    : QWidget(parent), pages_(new QStackedLayout(this)), kernels_(new QStringListModel(this)) {
  auto* nothing = label(tr("After an export this tells the memory the program takes and the kernels it needs."),
                        FontRole::Body, "secondary");
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setWordWrap(true);
  auto* plan = new QWidget;
  auto* row = new QHBoxLayout(plan);
  row->setContentsMargins(grid::kMargin, grid::kMargin - grid::kUnit, grid::kMargin, grid::kGap);
  row->setSpacing(2 * grid::kMargin);
  row->addWidget(makeNumbers(), 3);
  row->addWidget(makeKernels(), 2);
  pages_->addWidget(nothing);
  pages_->addWidget(plan);
}

QWidget* PlanPage::makeNumbers() {
  auto* numbers = new QWidget;
  auto* row = new QHBoxLayout(numbers);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2 * grid::kMargin);
  const auto add = [&](const QString& caption, QLabel*& value, ShareBar*& bar) {
    value = label(QString(), FontRole::Title);
    bar = new ShareBar(caption);
    auto* column = new QVBoxLayout;
    column->setSpacing(grid::kUnit);
    column->addWidget(label(caption, FontRole::Small, "secondary"));
    column->addWidget(value);
    column->addSpacing(grid::kUnit);
    column->addWidget(bar);
    column->addStretch();
    row->addLayout(column, 1);
  };
  add(tr("Memory for one run"), arena_, arenaBar_);
  add(tr("The file"), file_, fileBar_);
  return numbers;
}

QWidget* PlanPage::makeKernels() {
  auto* box = new QWidget;
  kernelCount_ = label(QString(), FontRole::Small, "secondary");
  list_ = new QListView;
  list_->setObjectName(QStringLiteral("kernelList"));
  list_->setAccessibleName(tr("Kernels that the runtime must have"));
  list_->setProperty("look", "framed");
  list_->setModel(kernels_);
  useFont(list_, FontRole::Mono);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(grid::kUnit);
  column->addWidget(kernelCount_);
  column->addWidget(list_, 1);
  return box;
}

void PlanPage::setReport(const ExportReport& report) {
  const ProgramPlan& plan = report.plan;
  arena_->setText(byteSize(plan.arena));
  const qint64 needed = qMin(plan.arena, plan.lowerBound);
  arenaBar_->setParts({{tr("Live at one moment, at least"), needed, Ink::Accent},
                       {tr("Alignment and gaps of the plan"), plan.arena - needed, Ink::Disabled}});
  file_->setText(byteSize(plan.total > 0 ? plan.total : report.bytes));
  const qint64 rest = plan.total - plan.program - plan.constants - plan.delegates - plan.namedData;
  fileBar_->setParts({{tr("Weights of the delegates"), plan.namedData, Ink::Accent},
                      {tr("Weights of the kernels"), plan.constants, Ink::Success},
                      {tr("Delegates"), plan.delegates, Ink::Warning},
                      {tr("Program"), plan.program, Ink::Secondary},
                      {tr("Alignment"), qMax<qint64>(0, rest), Ink::Disabled}});
  kernels_->setStringList(plan.kernels);
  kernelCount_->setText(plan.kernels.isEmpty()
                            ? tr("The runtime needs no kernel: everything is in delegates.")
                            : tr("Kernels the runtime must have: %1, for %2 instructions")
                                  .arg(groupedNumber(plan.kernels.size()), groupedNumber(plan.instructions)));
  list_->setVisible(!plan.kernels.isEmpty());
  pages_->setCurrentIndex(1);
}

void PlanPage::clear() {
  pages_->setCurrentIndex(0);
}

}  // namespace exportdeck::gui
