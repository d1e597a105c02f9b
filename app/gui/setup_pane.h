// What is to be done with the open model: backend, options, output; and the button that does it.
#pragma once

#include <QElapsedTimer>
#include <QMap>
#include <QUndoStack>
#include <QWidget>

#include "gui/options_model.h"
#include "options/profile.h"
#include "services/export_process.h"

class QLabel;
class QPushButton;

namespace exportdeck::gui {

class BackendCombo;
class CheckBar;
class CommandField;
class ElidedLabel;
class OptionsPanel;
class OutputBar;

class SetupPane : public QWidget {
  Q_OBJECT
 public:
  // What undo goes back to.
  struct State {
    QString backend;
    OptionsModel::State exports, runtime;
    bool operator==(const State&) const = default;
  };

  explicit SetupPane(const options::Catalogue& catalogue, QWidget* parent = nullptr);

  State state() const;
  void restore(const State& state);
  QUndoStack& history() { return history_; }

  void setSource(const QString& path, bool readable);
  void setExporting(bool exporting);
  void setCancelling();
  // What is set now; `profile` names an unchanged profile that stands for backend and options, or is empty.
  services::ExportJob job() const;
  void setProfileName(const QString& name) {
    profile_ = name;
    refresh();
  }

  // All that makes the program and its check, by what people call it; options where they differ from their defaults.
  QMap<QString, QString> settings() const;

  options::Profile profile(const QString& name) const;
  void applyProfile(const options::Profile& profile);  // can be undone
  void applyDefaults();                                // the same
  void forgetHistory();

  OptionsPanel& options() const { return *options_; }
  OutputBar& output() const { return *output_; }
  CheckBar& check() const { return *check_; }
  BackendCombo& backends() const { return *backends_; }
  // Why Export does nothing now, or "".
  QString blockReason() const;
  QString blockDetail() const;  // the first of the reasons in full
  void showBlocker();           // puts the cursor where the reason lies
  void trigger();               // as a click on Export or Cancel

 signals:
  void exportWanted();
  void cancelWanted();
  void edited();  // backend or an option: what a profile holds
  void allReset(int count);
  void settingsChanged();  // any of them, also the output

 private:
  enum class Values { Keep, Default };
  void takeBackend(Values values);
  void showHistory();
  // Puts what has changed since the last time on the history.
  void record();
  QString changedOption(const State& before, const State& after) const;
  void refresh();
  QWidget* makeGo();

  const options::Catalogue& catalogue_;
  QString source_, profile_;
  bool readable_ = false;
  bool exporting_ = false;
  QElapsedTimer sinceStart_;
  QUndoStack history_;
  State recorded_;
  int series_ = 0;         // keys typed into one field are one change
  bool settling_ = false;  // more changes follow that belong together
  BackendCombo* backends_;
  ElidedLabel* note_;
  OptionsPanel* options_;
  OutputBar* output_;
  CheckBar* check_;
  CommandField* command_;
  QLabel* blocker_;
  QPushButton* go_;
};

}  // namespace exportdeck::gui
