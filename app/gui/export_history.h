// The past exports of each model, kept beside the session: what they were set to and what they came to.
#pragma once

#include <QAbstractTableModel>
#include <QDateTime>

#include "gui/export_report.h"

namespace exportdeck::gui {

struct PastExport {
  QDateTime when;
  QString output, backend;
  QStringList changed;  // "key=value" of the options that differed from their defaults
  qint64 bytes = 0, arena = 0;
  double seconds = 0.0;
  double delegated = 0.0;  // share of the nodes, from 0 to 1
};

// The newest first. A file that cannot be read is none.
QList<PastExport> pastExports(const QString& source);
// Returns whether it could be written. `most` are kept.
bool rememberExport(const QString& source, const PastExport& past, int most);

// Side by side: an export a row.
class HistoryModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    WhenColumn,
    BackendColumn,
    SizeColumn,
    ArenaColumn,
    TimeColumn,
    DelegatedColumn,
    ChangedColumn,
    Columns
  };
  using QAbstractTableModel::QAbstractTableModel;
  void setExports(const QList<PastExport>& list);
  void setEarlier(bool earlier);  // the first is not of what is set now

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(int row, int column) const;
  QString change(int row, int column) const;  // against the export before it: "+3.1 %", or ""
  QList<PastExport> list_;
  bool earlier_ = false;
};

}  // namespace exportdeck::gui
