#include "gui/log_view.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QSaveFile>
#include <QScrollBar>
#include <QShortcut>
#include <QStandardPaths>
#include <QStyledItemDelegate>
#include <algorithm>

#include "gui/log_model.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

Ink inkOf(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return Ink::Secondary;
    case LogLevel::Info:
      return Ink::Text;
    case LogLevel::Warning:
      return Ink::Warning;
    case LogLevel::Error:
      return Ink::Error;
  }
  return Ink::Text;
}

class LineDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto level = static_cast<LogLevel>(index.data(LogModel::LevelRole).toInt());
    painter->save();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, colors().accentSoft);
    painter->setFont(option.font);
    painter->setPen(inkColor(inkOf(level)));
    const QRect text = option.rect.adjusted(grid::kMargin, 0, -grid::kGap, 0);
    const QString line =
        option.fontMetrics.elidedText(index.data(LogModel::LineRole).toString(), Qt::ElideRight, text.width());
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, line);
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {200, option.fontMetrics.lineSpacing() + 2};
  }
};

}  // namespace

LogView::LogView(QWidget* parent)
    : QWidget(parent), model_(new LogModel(this)), filter_(new LogFilter(this)), list_(new QListView) {
  filter_->setSourceModel(model_);
  list_->setObjectName(QStringLiteral("logList"));
  list_->setProperty("look", "bare");
  list_->setAccessibleName(tr("Log"));
  list_->setModel(filter_);
  list_->setUniformItemSizes(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  useFont(list_, FontRole::Mono);
  list_->setItemDelegate(new LineDelegate(list_));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTools());
  column->addWidget(list_, 1);
  connect(filter_, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
    const QScrollBar* bar = list_->verticalScrollBar();
    if (list_->isVisible()) atEnd_ = bar->value() >= bar->maximum() - 1;
  });
  connect(filter_, &QAbstractItemModel::rowsInserted, this, &LogView::keepEnd);
  connect(filter_, &QAbstractItemModel::rowsRemoved, this, &LogView::count);
  connect(filter_, &QAbstractItemModel::modelReset, this, &LogView::count);
  auto* shortcut = new QShortcut(QKeySequence::Copy, list_);
  shortcut->setContext(Qt::WidgetShortcut);
  connect(shortcut, &QShortcut::activated, this, &LogView::copy);
  count();
}

QWidget* LogView::makeTools() {
  auto* tools = new QWidget;
  auto* level = new QComboBox;
  level->setObjectName(QStringLiteral("logLevel"));
  level->setAccessibleName(tr("Least level shown"));
  level->addItem(tr("Everything"), static_cast<int>(LogLevel::Debug));
  level->addItem(tr("Information and worse"), static_cast<int>(LogLevel::Info));
  level->addItem(tr("Warnings and worse"), static_cast<int>(LogLevel::Warning));
  level->addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
  auto* search = new QLineEdit;
  search->setObjectName(QStringLiteral("logSearch"));
  search->setAccessibleName(tr("Filter the log"));
  search->setPlaceholderText(tr("Filter the log"));
  search->setClearButtonEnabled(true);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  holdWidth(search, 220, 220);
  count_ = label(QString(), FontRole::Small, "secondary");
  QToolButton* copy = iconButton(QStringLiteral("copy"), tr("Copy the selected lines, or all"));
  copy->setObjectName(QStringLiteral("copyLog"));
  QToolButton* save = iconButton(QStringLiteral("save"), tr("Save the log to a file"));
  save->setObjectName(QStringLiteral("saveLog"));
  auto* row = new QHBoxLayout(tools);
  row->setContentsMargins(grid::kMargin, grid::kGap, grid::kMargin, grid::kGap);
  row->setSpacing(grid::kGap);
  row->addWidget(level);
  row->addWidget(search);
  row->addWidget(count_, 1);
  row->addWidget(copy);
  row->addWidget(save);
  connect(level, &QComboBox::currentIndexChanged, this, [this, level] {
    filter_->setLevel(static_cast<LogLevel>(level->currentData().toInt()));
    count();
  });
  connect(search, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->setText(text);
    count();
  });
  connect(copy, &QToolButton::clicked, this, &LogView::copy);
  connect(save, &QToolButton::clicked, this, &LogView::save);
  return tools;
}

// What came while the list was hidden did not move it.
void LogView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (atEnd_) list_->scrollToBottom();
}

void LogView::keepEnd() {
  count();
  if (atEnd_) list_->scrollToBottom();
}

void LogView::count() {
  const int shown = filter_->rowCount(), all = model_->rowCount();
  if (all == 0)
    count_->setText(tr("Nothing logged yet"));
  else if (shown == all)
    count_->setText(tr("%1 lines").arg(groupedNumber(all)));
  else
    count_->setText(tr("%1 of %2 lines").arg(groupedNumber(shown), groupedNumber(all)));
}

QString LogView::text() const {
  QModelIndexList rows = list_->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (const QModelIndex& row : rows) lines << row.data(LogModel::LineRole).toString();
  if (rows.isEmpty())
    for (int row = 0; row < filter_->rowCount(); ++row)
      lines << filter_->index(row, 0).data(LogModel::LineRole).toString();
  return lines.isEmpty() ? QString() : lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void LogView::copy() const {
  QApplication::clipboard()->setText(text());
}

void LogView::save() {
  const QString start =
      QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + QStringLiteral("/exportdeck.log");
  auto* dialog = new QFileDialog(this, tr("Save the log"), start, tr("Log files (*.log *.txt)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("log"));
  dialog->selectFile(start);
  connect(dialog, &QFileDialog::fileSelected, this, &LogView::saveTo);
  dialog->open();
}

void LogView::saveTo(const QString& path) {
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(text().toUtf8()) >= 0 && file.commit())
    emit saved(path);
  else
    emit saveFailed(path, file.errorString());
}

}  // namespace exportdeck::gui
