// Where the program is written.
#pragma once

#include <QWidget>

class QCheckBox;
class QLineEdit;
class QToolButton;

namespace exportdeck::gui {

class ElidedLabel;

class OutputBar : public QWidget {
  Q_OBJECT
 public:
  explicit OutputBar(QWidget* parent = nullptr);

  // Proposes SOURCE_BACKEND.pte beside the source, unless a name was typed for this source.
  void setSource(const QString& source);
  void setBackend(const QString& backend);
  QString path() const;
  void setPath(const QString& path);
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
  QCheckBox* replace_;
  ElidedLabel* note_;
};

}  // namespace exportdeck::gui
