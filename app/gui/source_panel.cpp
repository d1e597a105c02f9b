#include "gui/source_panel.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

constexpr int kDetailRole = Qt::UserRole + 1;
constexpr int kBetween = 12;

// A heading and its rows: a name, and at its right, or below where both do not fit, what there is to say about it.
void addGroup(QStandardItemModel& model, const QString& title, const QList<std::pair<QString, QString>>& rows) {
  auto* head = new QStandardItem(title);
  head->setEditable(false);
  for (const auto& [name, detail] : rows) {
    auto* item = new QStandardItem(name);
    item->setEditable(false);
    item->setData(detail, kDetailRole);
    item->setToolTip(QStringLiteral("%1  %2").arg(name, detail));
    item->setData(QStringLiteral("%1, %2").arg(name, detail), Qt::AccessibleTextRole);
    head->appendRow(item);
  }
  model.appendRow(head);
}

class ContentsDelegate : public QStyledItemDelegate {
 public:
  explicit ContentsDelegate(QTreeView* view) : QStyledItemDelegate(view), view_(view) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const int line = option.fontMetrics.lineSpacing();
    if (!index.parent().isValid()) return {0, line + 12};
    return {0, (fits(option.fontMetrics, index) ? line : 2 * line) + 5};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, colors().accentSoft);
    const QString name = index.data().toString(), detail = index.data(kDetailRole).toString();
    const bool heading = !index.parent().isValid();
    const QFont font = heading ? Theme::current().font(FontRole::Strong) : option.font;
    const QFontMetrics metrics(font);
    const QRect cell = option.rect.adjusted(0, heading ? 6 : 2, -4, heading ? 0 : -2);
    // The row may have got its height when the panel was wider: then the name is shortened.
    const bool oneLine = heading || fits(metrics, index) || cell.height() < 2 * metrics.height();
    const int nameWidth =
        oneLine && !heading ? cell.width() - metrics.horizontalAdvance(detail) - kBetween : cell.width();
    painter->setFont(font);
    painter->setPen(colors().text);
    painter->drawText(cell, (oneLine ? Qt::AlignVCenter : Qt::AlignTop) | Qt::AlignLeft,
                      metrics.elidedText(name, Qt::ElideMiddle, nameWidth));
    painter->setPen(colors().secondary);
    const QRect below = oneLine ? cell : cell.adjusted(kBetween, 0, 0, 0);
    painter->drawText(below, oneLine ? Qt::AlignVCenter | Qt::AlignRight : Qt::AlignBottom | Qt::AlignLeft,
                      metrics.elidedText(detail, Qt::ElideRight, below.width()));
    painter->restore();
  }

 private:
  // An operator's count always stays on its line: the name is shortened.
  bool fits(const QFontMetrics& metrics, const QModelIndex& index) const {
    const QString detail = index.data(kDetailRole).toString();
    if (detail.startsWith(QChar(0x00d7))) return true;
    return metrics.horizontalAdvance(index.data().toString()) + kBetween + metrics.horizontalAdvance(detail) <
           view_->viewport()->width() - 2 * kBetween;
  }

  QTreeView* view_;
};

}  // namespace

SourcePanel::SourcePanel(QWidget* parent) : QFrame(parent), contents_(new QStandardItemModel(this)) {
  setProperty("look", "side");
  holdWidth(this, 230);
  name_ = new ElidedLabel;
  name_->setObjectName(QStringLiteral("sourceName"));
  useFont(name_, FontRole::Title);
  folder_ = new ElidedLabel;
  useFont(folder_, FontRole::Small);
  folder_->setProperty("look", "secondary");
  auto* form = new QFormLayout;
  form->setContentsMargins(0, 0, 0, 0);
  form->setHorizontalSpacing(grid::kMargin);
  form->setVerticalSpacing(grid::kUnit);
  form->setLabelAlignment(Qt::AlignLeft);
  size_ = addFact(form, tr("Size"));
  torch_ = addFact(form, tr("PyTorch"));
  parameters_ = addFact(form, tr("Parameters"));
  nodes_ = addFact(form, tr("Nodes"));
  tree_ = new QTreeView;
  tree_->setObjectName(QStringLiteral("sourceContents"));
  tree_->setProperty("look", "bare");
  tree_->setAccessibleName(tr("Inputs, outputs and operators of the model"));
  tree_->setModel(contents_);
  tree_->setHeaderHidden(true);
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(10);
  tree_->setItemDelegate(new ContentsDelegate(tree_));
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->setItemsExpandable(true);
  tree_->setExpandsOnDoubleClick(true);
  tree_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kMargin, grid::kMargin, grid::kGap, grid::kGap);
  column->setSpacing(grid::kUnit);
  column->addWidget(name_);
  column->addWidget(folder_);
  column->addSpacing(grid::kGap);
  column->addLayout(form);
  column->addSpacing(grid::kGap);
  column->addWidget(rule());
  column->addSpacing(grid::kUnit);
  column->addWidget(tree_, 1);
}

QLabel* SourcePanel::addFact(QFormLayout* form, const QString& name) {
  auto* value = label(QString(), FontRole::Body);
  form->addRow(label(name, FontRole::Body, "secondary"), value);
  return value;
}

void SourcePanel::clearFacts(const QString& text) {
  for (QLabel* fact : {size_, torch_, parameters_, nodes_}) fact->setText(text);
  contents_->clear();
}

void SourcePanel::showReading(const QString& path) {
  name_->setFullText(QFileInfo(path).fileName());
  folder_->setFullText(shortPath(QFileInfo(path).absolutePath()));
  clearFacts(tr("reading…"));
}

void SourcePanel::showSummary(const SourceSummary& summary) {
  clearFacts(QString());
  size_->setText(byteSize(summary.bytes));
  torch_->setText(summary.torchVersion.isEmpty() ? tr("unknown") : summary.torchVersion);
  parameters_->setText(groupedNumber(summary.parameters));
  parameters_->setToolTip(byteSize(summary.parameterBytes));
  nodes_->setText(groupedNumber(summary.nodes));
  const auto valueRows = [](const QList<ValueSummary>& values) {
    QList<std::pair<QString, QString>> rows;
    for (const ValueSummary& value : values) rows.append({value.name, value.type});
    return rows;
  };
  addGroup(*contents_, tr("Inputs (%1)").arg(summary.inputs.size()), valueRows(summary.inputs));
  addGroup(*contents_, tr("Outputs (%1)").arg(summary.outputs.size()), valueRows(summary.outputs));
  QList<std::pair<QString, QString>> sizes;
  for (const SizeSummary& size : summary.sizes) sizes.append({size.symbol, size.range()});
  if (!sizes.isEmpty()) addGroup(*contents_, tr("Sizes that change (%1)").arg(sizes.size()), sizes);
  QList<std::pair<QString, QString>> operators;
  for (const OperatorCount& op : summary.operators)
    operators.append({op.name, QStringLiteral("× %1").arg(groupedNumber(op.count))});
  addGroup(*contents_, tr("Operators (%1 kinds)").arg(summary.operators.size()), operators);
  tree_->expandAll();
}

}  // namespace exportdeck::gui
