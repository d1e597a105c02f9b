#include "gui/coverage_page.h"

#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTableView>

#include "gui/coverage_model.h"
#include "gui/detail_pane.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

QString leftOutHtml(const LeftOut& item, const QString& folder) {
  QString out = QStringLiteral("<p><b>%1</b></p>")
                    .arg(CoveragePage::tr("%1 × %2 left out: %3")
                             .arg(item.count)
                             .arg(item.op.toHtmlEscaped(), sentence(item.reason.toHtmlEscaped())));
  if (!item.fix.isEmpty())
    out += QStringLiteral("<p><span style='color:%1'>%2</span><br>%3</p>")
               .arg(colors().secondary.name(), CoveragePage::tr("What would help"), sentence(item.fix.toHtmlEscaped()));
  return out + placeHtml(item.origin, folder);
}

QString rowHtml(const CoverageModel::Row& row, const QString& folder) {
  QString out;
  for (const LeftOut& item : row.leftOut) out += leftOutHtml(item, folder);
  if (!out.isEmpty()) return out;
  const QString words = row.delegated == row.total
                            ? CoveragePage::tr("All of it runs in a delegate.")
                            : CoveragePage::tr("The reason stands with its operator, under “Left out”.");
  return QStringLiteral("<p><b>%1</b></p><p>%2</p>").arg(row.name.toHtmlEscaped(), words);
}

// Of names that are too long the end tells the rows apart.
class NameDelegate : public QStyledItemDelegate {
 public:
  NameDelegate(Qt::TextElideMode mode, QObject* parent) : QStyledItemDelegate(parent), mode_(mode) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = mode_;
  }

 private:
  Qt::TextElideMode mode_;
};

}  // namespace

CoveragePage::CoveragePage(QWidget* parent)
    : QWidget(parent),
      model_(new CoverageModel(this)),
      filter_(new CoverageFilter(this)),
      table_(new QTableView),
      nothing_(label(QString(), FontRole::Body, "secondary")),
      detail_(new DetailPane(tr("The chosen row"), "coverageDetail")) {
  filter_->setSourceModel(model_);
  makeTable();
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTools());
  column->addWidget(table_, 1);
  auto* over = new QVBoxLayout(table_->viewport());
  nothing_->setAlignment(Qt::AlignCenter);
  nothing_->setWordWrap(true);
  over->addWidget(nothing_);
  auto* both = new QSplitter;
  both->setHandleWidth(1);
  both->setChildrenCollapsible(false);
  both->addWidget(left);
  both->addWidget(detail_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  both->setSizes({640, 360});
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->addWidget(both);
  connect(detail_, &DetailPane::changeWanted, this, &CoveragePage::changeWanted);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CoveragePage::showRow);
  connect(&Theme::current(), &Theme::changed, this, &CoveragePage::showRow);
  refresh();
}

QWidget* CoveragePage::makeTools() {
  auto* tools = new QWidget;
  views_ = new QTabBar;
  views_->setObjectName(QStringLiteral("coverageViews"));
  views_->setExpanding(false);
  views_->setUsesScrollButtons(false);
  views_->addTab(tr("Left out"));
  views_->addTab(tr("By operator"));
  views_->addTab(tr("By module"));
  nameWidget(views_, tr("How the nodes are counted"));
  views_->setToolTip(QString());
  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("coverageSearch"));
  search_->setAccessibleName(tr("Filter the table"));
  search_->setPlaceholderText(tr("Filter"));
  search_->setClearButtonEnabled(true);
  search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  holdWidth(search_, 180, 180);
  auto* row = new QHBoxLayout(tools);
  row->setContentsMargins(grid::kGap, grid::kUnit, grid::kGap, grid::kUnit);
  row->addWidget(views_);
  row->addStretch();
  row->addWidget(search_);
  connect(views_, &QTabBar::currentChanged, this, &CoveragePage::chooseView);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->setText(text);
    refresh();
  });
  return tools;
}

void CoveragePage::makeTable() {
  table_->setObjectName(QStringLiteral("coverageTable"));
  table_->setAccessibleName(tr("Coverage"));
  table_->setModel(filter_);
  prepareTable(table_);
  table_->setSortingEnabled(true);
  table_->installEventFilter(this);
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(CoverageModel::ReasonColumn, QHeaderView::Stretch);
  for (const int column : {CoverageModel::NameColumn, CoverageModel::ModuleColumn})
    table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
  table_->setItemDelegateForColumn(CoverageModel::ModuleColumn, new NameDelegate(Qt::ElideLeft, table_));
  table_->setItemDelegateForColumn(CoverageModel::NameColumn, new NameDelegate(Qt::ElideMiddle, table_));
}

bool CoveragePage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::Resize) fitColumns();
  return QWidget::eventFilter(watched, event);
}

// Where each stands tells rows of one operator and one reason apart; where there is little room, the numbers make way.
void CoveragePage::fitColumns() {
  const int letters = table_->width() / fontMetrics().averageCharWidth();
  const bool leftOut = model_->view() == CoverageModel::View::LeftOut;
  table_->setColumnHidden(CoverageModel::ModuleColumn, !leftOut);
  table_->setColumnHidden(CoverageModel::LineColumn, !leftOut);
  table_->setColumnHidden(CoverageModel::WorkColumn, leftOut && letters < 150);
  table_->setColumnHidden(CoverageModel::BytesColumn, letters < (leftOut ? 170 : 100));
  for (const int column : {CoverageModel::NameColumn, CoverageModel::ModuleColumn}) {
    table_->resizeColumnToContents(column);
    const int most = table_->width() * (column == CoverageModel::NameColumn ? 32 : 24) / 100;
    table_->setColumnWidth(column, qMin(qMax(80, most), table_->columnWidth(column)));
  }
}

void CoveragePage::setReport(const ExportReport& report) {
  exported_ = true;
  delegates_ = report.delegates > 0;
  model_->setReport(report);
  fitColumns();
  refresh();
}

void CoveragePage::clear() {
  exported_ = false;
  model_->setReport({});
  refresh();
}

void CoveragePage::setSourceFolder(const QString& folder) {
  detail_->setSourceFolder(folder);
}

void CoveragePage::chooseView(int view) {
  model_->setView(static_cast<CoverageModel::View>(view));
  fitColumns();
  refresh();
}

void CoveragePage::refresh() {
  const bool empty = filter_->rowCount() == 0;
  nothing_->setVisible(empty);
  if (!exported_)
    nothing_->setText(tr("After an export this tells what was delegated, and why the rest was not."));
  else if (model_->rowCount() == 0)
    nothing_->setText(tr("Nothing was left out: every operator runs in a delegate."));
  else
    nothing_->setText(tr("No row matches “%1”.").arg(search_->text()));
  if (!empty && !table_->currentIndex().isValid()) table_->setCurrentIndex(filter_->index(0, 0));
  showRow();
}

void CoveragePage::showRow() {
  const QModelIndex index = filter_->mapToSource(table_->currentIndex());
  if (!index.isValid()) return detail_->show(QString(), {});
  const CoverageModel::Row& row = model_->at(index.row());
  QStringList fixes;
  for (const LeftOut& item : row.leftOut)
    if (!item.fix.isEmpty() && !fixes.contains(item.fix)) fixes << item.fix;
  detail_->show(rowHtml(row, detail_->sourceFolder()), fixes);
}

}  // namespace exportdeck::gui
