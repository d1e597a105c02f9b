// Profiles: choose one, save what is set under its name or a new one, read one from a file.
#pragma once

#include <QWidget>

#include "services/profile_store.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace exportdeck::gui {

// Only the controls: the window reads and writes the profiles.
class ProfileBar : public QWidget {
  Q_OBJECT
 public:
  explicit ProfileBar(QWidget* parent = nullptr);

  void setProfiles(const QList<services::ProfileStore::Item>& items);
  void setCurrent(const QString& name);  // "" : no profile
  QString current() const { return current_; }
  void setModified(bool modified);
  bool isModified() const { return modified_; }
  void askName();
  void showCurrent() { fill(); }  // in place of a choice that was not taken

 signals:
  void chosen(const QString& name);  // "" : the defaults
  void saveWanted(const QString& name);
  void loadWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeChoice();
  QWidget* makeNaming();
  void fill();
  void acceptName();

  QList<services::ProfileStore::Item> items_;
  QString current_;
  bool modified_ = false;
  QStackedLayout* pages_;
  QComboBox* combo_ = nullptr;
  QPushButton* save_ = nullptr;
  QToolButton* more_ = nullptr;
  QLineEdit* name_ = nullptr;
  QPushButton* accept_ = nullptr;
};

}  // namespace exportdeck::gui
