// What became of the model's nodes, in one of three countings: what was left out and why, by operator, by module.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "gui/export_report.h"

namespace exportdeck::gui {

class CoverageModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum class View { LeftOut, Operators, Modules };
  enum Column {
    NameColumn,
    ModuleColumn,  // of what was left out; the node where no module is known
    LineColumn,    // "net.py:12"
    DelegatedColumn,
    WorkColumn,
    BytesColumn,
    ReasonColumn,
    ColumnCount
  };
  static constexpr int kSortRole = Qt::UserRole + 1;

  struct Row {
    QString name;
    int total = 0, delegated = 0;
    double multiplyAdds = 0.0, bytes = 0.0;
    QList<LeftOut> leftOut;  // what of it is in no delegate, and why
  };

  using QAbstractTableModel::QAbstractTableModel;
  void setReport(const ExportReport& report);
  void setView(View view);
  View view() const { return view_; }
  const Row& at(int row) const { return rows_[row]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void fill();
  QVariant text(const Row& row, int column) const;
  QVariant sortKey(const Row& row, int column) const;

  ExportReport report_;
  View view_ = View::LeftOut;
  QList<Row> rows_;
};

// Rows whose name, or a reason or place of what was left out of them, contains the text.
class CoverageFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit CoverageFilter(QObject* parent = nullptr);
  void setText(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString text_;
};

}  // namespace exportdeck::gui
