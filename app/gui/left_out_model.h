// What stayed outside the delegate: which operator, how often, why, where, and what would help.
#pragma once

#include <QAbstractTableModel>

#include "gui/export_report.h"

namespace exportdeck::gui {

class LeftOutModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { OperatorColumn, CountColumn, ReasonColumn, WhereColumn, FixColumn, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setItems(const QList<LeftOut>& items);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QList<LeftOut> items_;
};

}  // namespace exportdeck::gui
