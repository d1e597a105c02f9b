// Where the program is written, and whether it is run afterwards.
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace exportdeck::gui {

class OutputBar : public QWidget {
  Q_OBJECT
 public:
  explicit OutputBar(QWidget* parent = nullptr);

  // Proposes SOURCE_BACKEND.pte beside the source, unless a name was typed for this source.
  void setSource(const QString& source);
  void setBackend(const QString& backend);
  QString path() const;
  void setPath(const QString& path);
  bool runsAfterwards() const;
  void setRunsAfterwards(bool run);
  bool replaces() const;
  void setReplaces(bool replace);
  void setEditable(bool editable);
  bool exists() const { return exists_; }
  // Why nothing can be written there, or "".
  QString reason() const { return reason_; }
  void browse();
  void recheck();  // the file may have come or gone

 signals:
  void edited();

 private:
  void propose();

  QString source_, backend_, proposed_;
  QString reason_;
  bool exists_ = false;
  QLineEdit* path_;
  QToolButton* browse_;
  QCheckBox* run_;
  QCheckBox* replace_;
  QLabel* note_;
};

}  // namespace exportdeck::gui
