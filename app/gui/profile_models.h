// Two profiles side by side, and what is wrong with one, as rows.
#pragma once

#include <QAbstractTableModel>
#include <QList>

#include "options/profile.h"
#include "options/profile_difference.h"

namespace exportdeck::gui {

class ComparisonModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { SettingColumn, LeftColumn, RightColumn, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setProfiles(const options::Profile& left, const options::Profile& right, bool onlyDifferences);
  int differences() const { return differences_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString title, key, left, right;
    bool same = true;
  };
  QList<Row> rows_;
  QString left_, right_;
  int differences_ = 0;
  bool onlyDifferences_ = false;
};

class ProblemsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { WhereColumn, GivenColumn, TakenColumn, ReasonColumn, ColumnCount };
  explicit ProblemsModel(std::vector<options::ProfileProblem> problems, QObject* parent = nullptr)
      : QAbstractTableModel(parent), problems_(std::move(problems)) {}

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<options::ProfileProblem> problems_;
};

}  // namespace exportdeck::gui
