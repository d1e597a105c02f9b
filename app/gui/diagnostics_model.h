// Diagnostics as rows: how bad, what, where, how often. Equal ones are counted, not repeated.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "base/diagnostic.h"

namespace exportdeck::gui {

class DiagnosticsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { SeverityColumn, MessageColumn, WhereColumn, CountColumn, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void add(const Diagnostic& diagnostic);
  void clear();
  const Diagnostic& at(int row) const { return list_[static_cast<size_t>(row)]; }
  int count(Severity severity) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<Diagnostic> list_;
};

QString severityWord(Severity severity);

}  // namespace exportdeck::gui
