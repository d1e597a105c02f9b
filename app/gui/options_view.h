// The table of options: what is set where, with an editor a type.
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>

namespace exportdeck::gui {

// Draws the rows of an OptionsModel and edits their values.
class OptionDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

  static QRect resetRect(const QRect& cell);

 private:
  void paintOption(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
  void paintValue(QPainter& painter, const QRect& cell, const QModelIndex& index, bool enabled) const;
  void paintSwitch(QPainter& painter, const QRect& cell, const QModelIndex& index, bool enabled) const;
  void paintDefault(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
  void paintMeaning(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
};

// Tab moves from value to value and, after the last, on; Space toggles; Delete resets; F1 explains; Ctrl+C and Ctrl+V
// copy and paste rows.
class OptionsView : public QTableView {
  Q_OBJECT
 public:
  explicit OptionsView(QWidget* parent = nullptr);
  void editRow(int row);
  bool isEditing() const { return state() == EditingState; }

 signals:
  void editingEnded();
  void explainWanted();
  void copyWanted();
  void pasteWanted();

 protected:
  QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
  void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void editOnClick(const QModelIndex& index);
  void resetRows();
  void fitRows();
};

}  // namespace exportdeck::gui
