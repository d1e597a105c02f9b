// What came out: is it there, did it run, how big, what was delegated, how long; and what was left out and why.
#pragma once

#include <QWidget>

#include "gui/export_report.h"
#include "gui/icons.h"

class QLabel;
class QPushButton;
class QTableView;

namespace exportdeck::gui {

class ElidedLabel;
class LeftOutModel;

class ResultPage : public QWidget {
  Q_OBJECT
 public:
  explicit ResultPage(QWidget* parent = nullptr);

  void showNothing();
  void showRunning();
  void showDone(const ExportReport& report);
  void showFailed(const Diagnostic& problem);
  void showCancelled();
  QString headline() const;

 signals:
  void detailsWanted();  // of the diagnostic

 private:
  struct Fact {
    QWidget* box;
    QLabel* caption;
    QLabel* value;
    QLabel* note;
  };
  Fact makeFact(const QString& caption);
  QWidget* makeHead();
  QWidget* makeFacts();
  QWidget* makeTable();
  void setHead(const QString& icon, Ink ink, const QString& headline, const QString& line);
  void setFacts(const ExportReport& report);
  void showParts(bool facts, bool file, bool details);
  void reveal() const;

  QString icon_;
  Ink ink_ = Ink::Secondary;
  QString path_;
  QLabel* symbol_ = nullptr;
  QLabel* headline_ = nullptr;
  ElidedLabel* line_ = nullptr;
  QPushButton* reveal_ = nullptr;
  QPushButton* copy_ = nullptr;
  QPushButton* details_ = nullptr;
  QWidget* facts_ = nullptr;
  Fact ran_{}, size_{}, nodes_{}, work_{}, time_{};
  LeftOutModel* leftOut_;
  QTableView* table_ = nullptr;
  QLabel* allTaken_ = nullptr;
};

}  // namespace exportdeck::gui
