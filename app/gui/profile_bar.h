// Profiles: choose one, save what is set under its name or a new one, and everything else that is done with them.
#pragma once

#include <QWidget>

#include "services/profile_store.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace exportdeck::gui {

// Only the controls: the desk reads and writes the profiles.
class ProfileBar : public QWidget {
  Q_OBJECT
 public:
  enum class Naming { Save, Rename, Duplicate };

  explicit ProfileBar(QWidget* parent = nullptr);

  // `standard`: the name of the one that models are opened with, or "".
  void setProfiles(const QList<services::ProfileStore::Item>& items, const QString& standard);
  void setCurrent(const QString& name);  // "" : no profile
  QString current() const { return current_; }
  void setModified(bool modified);
  bool isModified() const { return modified_; }
  void askName(Naming what = Naming::Save);
  void showCurrent() { fill(); }  // in place of a choice that was not taken
  QMenu& menu() const { return *menu_; }

 signals:
  void chosen(const QString& name);      // "" : the defaults
  void saveWanted(const QString& name);  // "" : under the name that it has
  void renameWanted(const QString& name);
  void duplicateWanted(const QString& name);
  void removeWanted();
  void importWanted();
  void exportWanted();
  void standardWanted(bool on);  // models are opened with it
  void compareWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeChoice();
  QMenu* makeMenu();
  QWidget* makeNaming();
  void fill();
  void fillChoice();
  void fillMenu();
  void addChoice(const QString& text, const QString& name);
  void addLegend();
  void judgeName();
  void acceptName();
  const services::ProfileStore::Item* currentItem() const;  // null: not in the store
  QString freeName(const QString& name) const;

  QList<services::ProfileStore::Item> items_;
  QString current_, standard_;
  bool modified_ = false;
  Naming naming_ = Naming::Save;
  QStackedLayout* pages_;
  QComboBox* combo_ = nullptr;
  QPushButton* save_ = nullptr;
  QToolButton* more_ = nullptr;
  QMenu* menu_ = nullptr;
  QAction* rename_ = nullptr;
  QAction* duplicate_ = nullptr;
  QAction* remove_ = nullptr;
  QAction* export_ = nullptr;
  QAction* makeStandard_ = nullptr;
  QLineEdit* name_ = nullptr;
  QLabel* nameNote_ = nullptr;
  QPushButton* accept_ = nullptr;
};

}  // namespace exportdeck::gui
