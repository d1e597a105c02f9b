// The lines of the log, and those of them that are shown.
#pragma once

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <deque>

#include "base/progress.h"

namespace exportdeck::gui {

// Lines that come fast are taken in together, a few times a second, so that 100 000 of them do not stop the window.
class LogModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { LevelRole = Qt::UserRole + 1, LineRole };  // LineRole: as saved, "12:04:31.120 warning  text"
  static constexpr int kMaxLines = 200'000;              // the oldest go first

  explicit LogModel(QObject* parent = nullptr);

  void append(LogLevel level, const QString& text);
  void flush();
  void clear();

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Line {
    QString time;
    LogLevel level;
    QString text;
  };
  std::deque<Line> lines_;
  std::deque<Line> pending_;
  QTimer timer_;
};

QString levelWord(LogLevel level);

class LogFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setLevel(LogLevel atLeast);
  void setText(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  LogLevel level_ = LogLevel::Debug;
  QString text_;
};

}  // namespace exportdeck::gui
