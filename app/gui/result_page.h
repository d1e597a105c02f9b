// What came out: is it there, did it run, how big, what was delegated, how long; and how that compares with the exports
// before.
#pragma once

#include <QWidget>

#include "gui/export_history.h"
#include "gui/icons.h"

class QLabel;
class QPushButton;
class QTableView;

namespace exportdeck::gui {

class ElidedLabel;
class HistoryModel;

class ResultPage : public QWidget {
  Q_OBJECT
 public:
  explicit ResultPage(QWidget* parent = nullptr);

  void showNothing();
  void showRunning();
  // `past`: the exports of this model, this one first.
  void showDone(const ExportReport& report, const QList<PastExport>& past);
  // What is shown is not of what is set now, or is again.
  void setEarlier(bool earlier);
  void showFailed(const Diagnostic& problem);
  void showCancelled();
  QString headline() const;

 signals:
  void detailsWanted();   // of the diagnostic
  void coverageWanted();  // why operators were left out

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
  void makeTable();
  void setHead(const QString& icon, Ink ink, const QString& headline, const QString& line);
  void setFacts(const ExportReport& report);
  void showParts(bool done, bool details);
  void reveal() const;

  QString icon_;
  Ink ink_ = Ink::Secondary;
  QString path_;
  QString when_;  // of the export that is shown
  bool ranWell_ = false;
  QLabel* symbol_ = nullptr;
  ElidedLabel* headline_ = nullptr;
  ElidedLabel* line_ = nullptr;
  QPushButton* reveal_ = nullptr;
  QPushButton* copy_ = nullptr;
  QPushButton* details_ = nullptr;
  QPushButton* why_ = nullptr;
  QWidget* facts_ = nullptr;
  Fact ran_{}, size_{}, memory_{}, nodes_{}, work_{}, weights_{}, time_{};
  HistoryModel* history_;
  QTableView* table_;
};

}  // namespace exportdeck::gui
