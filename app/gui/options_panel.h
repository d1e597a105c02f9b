// The options of the chosen backend: those of the export, those for the program's loader, a filter, and a way back.
#pragma once

#include <QWidget>

#include "options/catalogue.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;

namespace exportdeck::gui {

class OptionsFilter;
class OptionsModel;
class OptionsView;

class OptionsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit OptionsPanel(QWidget* parent = nullptr);

  void setOptions(options::OptionSet exportOptions, options::OptionSet runtimeOptions);
  OptionsModel& exportModel() const { return *export_; }
  OptionsModel& runtimeModel() const { return *runtime_; }
  OptionsView& view() const { return *view_; }
  int invalidCount() const;
  // "Alignment: must be a power of two", or "" where all values fit.
  QString firstReason() const;
  void showFirstInvalid();

 signals:
  void edited();
  void resetAllDone(int count);  // undo by restore()

 public slots:
  void restore();  // what the last "Reset all" took away

 private:
  enum Tab { ExportTab, RuntimeTab };
  void showTab(int tab);
  void refresh();
  void resetAll();
  OptionsModel& shown() const;

  OptionsModel* export_;
  OptionsModel* runtime_;
  OptionsFilter* filter_;
  QTabBar* tabs_;
  QLineEdit* search_;
  QCheckBox* onlyChanged_;
  QPushButton* resetAll_;
  QLabel* note_;
  OptionsView* view_;
  QLabel* nothing_;
  options::OptionSet before_;
  int beforeTab_ = ExportTab;
};

}  // namespace exportdeck::gui
