// The model that is open, in a column: its file, its size, what goes in and out, what it is made of.
#pragma once

#include <QFrame>

#include "gui/source_summary.h"

class QFormLayout;
class QLabel;
class QStandardItemModel;
class QTreeView;

namespace exportdeck::gui {

class ElidedLabel;

class SourcePanel : public QFrame {
  Q_OBJECT
 public:
  explicit SourcePanel(QWidget* parent = nullptr);
  void showReading(const QString& path);
  void showSummary(const SourceSummary& summary);
  QStandardItemModel& contents() const { return *contents_; }

 private:
  QLabel* addFact(QFormLayout* form, const QString& name);
  void clearFacts(const QString& text);

  ElidedLabel* name_;
  ElidedLabel* folder_;
  QLabel* size_;
  QLabel* torch_;
  QLabel* parameters_;
  QLabel* nodes_;
  QStandardItemModel* contents_;
  QTreeView* tree_;
};

}  // namespace exportdeck::gui
