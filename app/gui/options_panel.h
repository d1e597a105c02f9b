// The options of the chosen backend: those of the export, those for the program's loader, and the sizes of the model
// that change; a filter, and a way back.
#pragma once

#include <QWidget>

#include "gui/message_bar.h"
#include "gui/sizes_model.h"
#include "options/catalogue.h"

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;
class QToolButton;

namespace exportdeck::gui {

class OptionExplainer;
class OptionsFilter;
class OptionsView;

class OptionsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit OptionsPanel(QWidget* parent = nullptr);
  ~OptionsPanel() override;

  void setOptions(options::OptionSet exportOptions, options::OptionSet runtimeOptions);
  OptionsModel& exportModel() const { return *export_; }
  OptionsModel& runtimeModel() const { return *runtime_; }
  SizesModel& sizesModel() const { return *sizes_; }
  // Of the model that is open. They are bounded by the option of the export that holds bounds.
  void setSizes(const QList<SizeSummary>& sizes);
  QString bounds() const;                       // "s0=512", where all are right
  void setBoundBytes(const BoundBytes& bytes);  // what the largest sizes cost
  OptionsView& view() const { return *view_; }
  int invalidCount() const;
  // "Alignment: must be a power of two", or "" where all values fit.
  QString firstReason() const;
  void showFirstInvalid();
  void showOption(const QString& key);  // its tab and row
  bool isExplaining() const;
  // The rows that are selected as lines "key=value".
  QString selectedRows() const;
  // Takes such lines, for both kinds of options, as one change. What cannot be taken is told.
  void paste(const QString& lines);

 signals:
  void edited();
  void told(const exportdeck::gui::Message& message);
  void undoWanted();
  void redoWanted();
  void editingEnded();           // of one value
  void resetAllDone(int count);  // undo by restore()

 public slots:
  void restore();  // what the last "Reset all" took away
  void setHistory(bool canUndo, const QString& undo, bool canRedo, const QString& redo);
  void explain();  // the row that is selected: opens the explanation, or closes it

 private:
  enum Tab { ExportTab, RuntimeTab, SizesTab };
  void showTab(int tab);
  void refresh();
  void resetAll();
  QLayout* makeTools();
  void connectParts();
  void showExplainer(bool on);
  void refreshExplainer();
  OptionsModel& shown() const;
  int boundRow() const;  // of the export's options; -1: this backend bounds nothing
  bool boundIsWrong() const;
  void takeBound();  // from the option into the rows of sizes
  void giveBound();  // and back
  void showNote();

  OptionsModel* export_;
  OptionsModel* runtime_;
  SizesModel* sizes_;
  OptionsFilter* filter_;
  QTabBar* tabs_;
  QLineEdit* search_;
  QCheckBox* onlyChanged_;
  QPushButton* resetAll_;
  QLabel* note_;
  OptionsView* view_;
  QLabel* nothing_;
  QToolButton* undo_;
  QToolButton* redo_;
  QToolButton* explain_;
  QHBoxLayout* body_;
  OptionExplainer* explainer_ = nullptr;  // made when it is first asked for
  OptionsModel::State before_;
  int beforeTab_ = ExportTab;
  bool pasting_ = false;
  bool syncing_ = false;  // the option of bounds and the rows of sizes
  QString boundNote_;
};

}  // namespace exportdeck::gui
