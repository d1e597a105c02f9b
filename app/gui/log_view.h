// The log: levels, a filter, copy and save. It stays at the end while the end is in view.
#pragma once

#include <QWidget>

#include "base/progress.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListView;

namespace exportdeck::gui {

class LogFilter;
class LogModel;

class LogView : public QWidget {
  Q_OBJECT
 public:
  explicit LogView(QWidget* parent = nullptr);
  LogModel& model() const { return *model_; }
  QListView& list() const { return *list_; }
  // The selected lines, or all that are shown where none is selected.
  QString text() const;
  void saveTo(const QString& path);

 signals:
  void saved(const QString& path);
  void saveFailed(const QString& path, const QString& reason);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeTools();
  void keepEnd();
  void copy() const;
  void save();
  void count();

  LogModel* model_;
  LogFilter* filter_;
  QListView* list_;
  QLabel* count_ = nullptr;
  bool atEnd_ = true;
};

}  // namespace exportdeck::gui
