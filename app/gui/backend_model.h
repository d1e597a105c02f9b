// The backends in the order in which they are offered: what can be used here, a line, then the rest with the reason.
#pragma once

#include <QAbstractListModel>
#include <QComboBox>
#include <QStyledItemDelegate>

#include "options/catalogue.h"

namespace exportdeck::gui {

class BackendModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    IdRole = Qt::UserRole + 1,
    AvailableRole,
    NoteRole,       // the second line: what it is, or why it cannot be used
    SeparatorRole,  // bool
  };

  explicit BackendModel(const options::Catalogue& catalogue, QObject* parent = nullptr);

  int rowOf(const QString& id) const;  // -1: unknown
  int firstAvailable() const;          // -1: none

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Row {
    QString id, title, note;
    bool available = false;
    bool separator = false;
  };
  std::vector<Row> rows_;
};

class BackendDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Never without a choice. A backend that cannot be used can be shown (a profile may name it), not chosen.
class BackendCombo : public QComboBox {
  Q_OBJECT
 public:
  explicit BackendCombo(const options::Catalogue& catalogue, QWidget* parent = nullptr);
  QString backend() const { return currentData(BackendModel::IdRole).toString(); }
  bool isUsable() const { return currentData(BackendModel::AvailableRole).toBool(); }
  QString note() const { return currentData(BackendModel::NoteRole).toString(); }
  bool setBackend(const QString& id);

 private:
  BackendModel* model_;
};

}  // namespace exportdeck::gui
