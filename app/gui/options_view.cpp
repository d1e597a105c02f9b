#include "gui/options_view.h"

#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>

#include "gui/icons.h"
#include "gui/options_model.h"
#include "gui/theme.h"

namespace exportdeck::gui {

namespace {
constexpr int kRoomForMeaning = 560;
}

OptionsView::OptionsView(QWidget* parent) : QTableView(parent) {
  setObjectName(QStringLiteral("optionsTable"));
  setProperty("look", "framed");
  setAccessibleName(tr("Options"));
  setItemDelegate(new OptionDelegate(this));
  setShowGrid(false);
  setWordWrap(false);
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setTabKeyNavigation(false);
  setEditTriggers(EditKeyPressed | AnyKeyPressed | DoubleClicked);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setSectionsMovable(false);
  connect(this, &QTableView::clicked, this, &OptionsView::editOnClick);
}

void OptionsView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitRows();
  if (!model() || model()->columnCount() < OptionsModel::ColumnCount) return;
  const int width = viewport()->width();
  // Where there is no room for sentences the row shows a mark, and the explanation says the rest.
  setColumnHidden(OptionsModel::MeaningColumn, width < kRoomForMeaning);
  setColumnWidth(OptionsModel::OptionColumn, qBound(170, width * 26 / 100, 300));
  setColumnWidth(OptionsModel::ValueColumn, qBound(140, width * 22 / 100, 260));
  setColumnWidth(OptionsModel::DefaultColumn, qBound(110, width * 16 / 100, 190));
}

void OptionsView::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange) fitRows();
}

// Rows take up what is left, so that none is cut at the lower edge.
void OptionsView::fitRows() {
  const int least = qMax(42, 2 * fontMetrics().lineSpacing() + 12);
  const int room = viewport()->height(), rows = qMax(1, room / least);
  verticalHeader()->setDefaultSectionSize(qBound(least, room / rows, least + least / 4));
  setMinimumHeight(horizontalHeader()->sizeHint().height() + least + 2 * frameWidth());
}

void OptionsView::focusInEvent(QFocusEvent* event) {
  QTableView::focusInEvent(event);
  const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (byKey && !currentIndex().isValid() && model()->rowCount() > 0)
    setCurrentIndex(model()->index(0, OptionsModel::ValueColumn));
}

void OptionsView::editOnClick(const QModelIndex& index) {
  if (index.column() != OptionsModel::ValueColumn) return;
  edit(index);
  if (auto* combo = qobject_cast<QComboBox*>(indexWidget(index))) combo->showPopup();
}

void OptionsView::editRow(int row) {
  const QModelIndex index = model()->index(row, OptionsModel::ValueColumn);
  if (!index.isValid()) return;
  setFocus(Qt::OtherFocusReason);
  setCurrentIndex(index);
  scrollTo(index);
  if (index.data(OptionsModel::SpecRole).value<const options::OptionSpec*>()->type != options::OptionType::Bool)
    edit(index);
}

QModelIndex OptionsView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
  if (action != MoveNext && action != MovePrevious) return QTableView::moveCursor(action, modifiers);
  const int row = currentIndex().row() + (action == MoveNext ? 1 : -1);
  return model()->index(qBound(0, row, model()->rowCount() - 1), OptionsModel::ValueColumn);
}

void OptionsView::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) {
  const int row = currentIndex().row();
  const bool leaves = (hint == QAbstractItemDelegate::EditNextItem && row == model()->rowCount() - 1) ||
                      (hint == QAbstractItemDelegate::EditPreviousItem && row == 0);
  QTableView::closeEditor(editor, leaves ? QAbstractItemDelegate::NoHint : hint);
  emit editingEnded();
  if (leaves) focusNextPrevChild(hint == QAbstractItemDelegate::EditNextItem);
}

void OptionsView::resetRows() {
  for (const QModelIndex& index : selectionModel()->selectedRows(OptionsModel::ValueColumn))
    if (index.data(OptionsModel::ChangedRole).toBool()) model()->setData(index, {}, OptionsModel::ResetRole);
}

void OptionsView::keyPressEvent(QKeyEvent* event) {
  // What an open editor leaves of a key, as Return, is not meant for the row.
  if (isEditing() && !hasFocus()) return QTableView::keyPressEvent(event);
  const QModelIndex index = currentIndex();
  if (event->key() == Qt::Key_F1) return emit explainWanted();
  if (event->matches(QKeySequence::Copy)) return emit copyWanted();
  if (event->matches(QKeySequence::Paste)) return emit pasteWanted();
  if (event->key() == Qt::Key_Delete && index.isValid()) return resetRows();
  const bool isBool = index.isValid() && index.data(OptionsModel::SpecRole).value<const options::OptionSpec*>()->type ==
                                             options::OptionType::Bool;
  const bool toggles = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isBool && toggles && event->modifiers() == Qt::NoModifier) {
    const QModelIndex value = index.siblingAtColumn(OptionsModel::ValueColumn);
    model()->setData(value, !value.data(Qt::EditRole).toBool(), Qt::EditRole);
    return;
  }
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && index.isValid() &&
      event->modifiers() == Qt::NoModifier)
    return editRow(index.row());
  QTableView::keyPressEvent(event);
}

void OptionsView::contextMenuEvent(QContextMenuEvent* event) {
  const QModelIndex index = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
  if (!index.isValid()) return;
  if (!selectionModel()->isRowSelected(index.row(), {})) setCurrentIndex(index);
  QMenu menu(this);
  menu.setObjectName(QStringLiteral("optionsMenu"));
  const QModelIndexList rows = selectionModel()->selectedRows();
  const bool changed = std::any_of(rows.begin(), rows.end(),
                                   [](const QModelIndex& row) { return row.data(OptionsModel::ChangedRole).toBool(); });
  menu.addAction(icon(QStringLiteral("reset")), tr("Reset to default\tDel"), this, &OptionsView::resetRows)
      ->setEnabled(changed);
  menu.addAction(icon(QStringLiteral("copy")), tr("Copy rows\tCtrl+C"), this, &OptionsView::copyWanted);
  menu.addAction(tr("Paste rows\tCtrl+V"), this, &OptionsView::pasteWanted);
  menu.addAction(icon(QStringLiteral("info")), tr("What it means\tF1"), this, &OptionsView::explainWanted);
  menu.exec(event->globalPos());
}

}  // namespace exportdeck::gui
