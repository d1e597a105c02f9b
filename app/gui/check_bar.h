// What the program is checked with before it gets its name, and what becomes of one that fails: the command line's
// --verify and --keep-rejected.
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QToolButton;

namespace exportdeck::gui {

class ElidedLabel;

class CheckBar : public QWidget {
  Q_OBJECT
 public:
  enum Check { Nothing, Run, Case };
  explicit CheckBar(QWidget* parent = nullptr);

  QString verification() const;  // "none", "run" or the case's folder
  void setVerification(const QString& verification);
  Check check() const;
  bool keepsRejected() const;
  void setEditable(bool editable);
  // Why it cannot be done, or "".
  QString reason() const { return reason_; }
  void recheck();  // the folder may have come or gone
  void showBlocker();

 signals:
  void edited();

 private:
  void browse();
  void connectParts();

  QString reason_;
  QComboBox* check_;
  QLineEdit* folder_;
  QToolButton* browse_;
  QCheckBox* keep_;
  ElidedLabel* note_;
};

}  // namespace exportdeck::gui
