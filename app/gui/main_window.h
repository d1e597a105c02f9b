// The window: opens a model, lets it be set up, exports it, and shows what came out.
#pragma once

#include <QMainWindow>

#include "gui/source_summary.h"
#include "options/catalogue.h"
#include "services/export_process.h"
#include "services/profile_store.h"
#include "services/tool_runner.h"

class QSplitter;
class QStackedWidget;
class QToolButton;

namespace exportdeck::gui {

class EmptyPage;
class MessageBar;
class OutcomePane;
class ProfileBar;
class SetupPane;
class SourcePanel;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(const options::Catalogue& catalogue = options::Catalogue::builtIn(),
                      services::ProfileStore store = services::ProfileStore());

  void open(const QString& path);
  void openSample();
  void startExport();
  void cancelExport();
  void loadProfileFile(const QString& path);
  bool isExporting() const { return process_.isRunning(); }
  bool isReading() const { return inspector_.isRunning(); }

  MessageBar& messages() const { return *messages_; }
  SetupPane& setup() const { return *setup_; }
  OutcomePane& outcome() const { return *outcome_; }
  SourcePanel& source() const { return *source_; }
  ProfileBar& profiles() const { return *profiles_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // main_window.cpp: the parts and how they are connected
  QWidget* makeHeader();
  QWidget* makeWork();
  void makeShortcuts();
  void connectParts();
  void rememberPlace() const;
  void restorePlace();
  // main_window_work.cpp: opening and exporting
  void openDialog();
  void inspected(const QJsonObject& answer, int exitCode);
  void openFailed(const Diagnostic& problem);
  void exportEnded(const QJsonObject& report, int exitCode);
  void askReplace();
  void askClose();
  void remember(const QString& path);
  void escape();
  // main_window_profiles.cpp
  void chooseProfile(const QString& name);
  void saveProfile(const QString& name);
  void writeProfile(const QString& name, bool replace);
  void loadProfileDialog();
  void takeDefaults();
  bool takeProfile(const options::ProfileResult& result, const QString& stored);
  void offerUndo(const options::Profile& before, const QString& name);
  void profileEdited();
  void listProfiles();

  const options::Catalogue& catalogue_;
  services::ProfileStore store_;
  services::ToolRunner inspector_;
  services::ExportProcess process_;
  QString path_;
  std::string savedProfile_;    // as text: what the profile held when it was saved or chosen
  bool storedProfile_ = false;  // the current profile is one of the store, and may be saved under its name
  bool closeWanted_ = false;
  bool applying_ = false;

  MessageBar* messages_;
  ProfileBar* profiles_ = nullptr;
  QToolButton* recent_ = nullptr;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  SourcePanel* source_;
  SetupPane* setup_;
  OutcomePane* outcome_;
  QSplitter* columns_ = nullptr;
  QSplitter* rows_ = nullptr;
};

}  // namespace exportdeck::gui
