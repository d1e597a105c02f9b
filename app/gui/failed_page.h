// In place of the form: a file that cannot be read. What is wrong, where, and what to do about it.
#pragma once

#include <QWidget>

#include "base/diagnostic.h"

class QLabel;
class QPushButton;

namespace exportdeck::gui {

class FailedPage : public QWidget {
  Q_OBJECT
 public:
  explicit FailedPage(QWidget* parent = nullptr);
  void showProblem(const QString& path, const Diagnostic& problem);
  void showTrying();

 signals:
  void chooseWanted();
  void againWanted();

 private:
  QLabel* addPart(const QString& caption, const char* name);
  static void setPart(QLabel* part, const QString& text);

  QLabel* symbol_;
  QLabel* title_;
  QLabel* what_;
  QLabel* why_ = nullptr;
  QLabel* where_ = nullptr;
  QLabel* help_ = nullptr;
  QPushButton* again_;
};

}  // namespace exportdeck::gui
