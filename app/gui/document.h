// One open model: its source, its setup, what came out, and the export of its own.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "gui/message_bar.h"
#include "gui/option_change.h"
#include "options/catalogue.h"
#include "services/export_process.h"
#include "services/tool_runner.h"

class QSplitter;
class QStackedLayout;

namespace exportdeck::gui {

class FailedPage;
class OutcomePane;
class SetupPane;
class SourcePanel;

class Document : public QWidget {
  Q_OBJECT
 public:
  enum class State { Blank, Reading, Failed, Ready, Exporting, Done, Stopped, NotExported };

  // Which profile the setup was taken from, and whether it still is as it was saved.
  struct ProfileState {
    QString name;
    std::string saved;    // as text: what the profile held when it was saved or chosen
    bool stored = false;  // it is one of the store, and may be saved under its name
    bool modified = false;
  };

  explicit Document(const options::Catalogue& catalogue, QWidget* parent = nullptr);

  void open(const QString& path);
  void startExport();  // asks or says why where it cannot
  void cancelExport();

  const QString& path() const { return path_; }
  QString name() const;
  State state() const { return state_; }
  bool isExporting() const { return process_.isRunning(); }
  bool isReading() const { return inspector_.isRunning(); }

  SetupPane& setup() const { return *setup_; }
  OutcomePane& outcome() const { return *outcome_; }
  SourcePanel& source() const { return *source_; }

  // How the dividers stand; all documents of a window share it.
  QByteArray arrangement() const;
  void setArrangement(const QByteArray& arrangement);

  ProfileState profile;
  std::optional<Message> message;  // what the bar goes back to when this document is shown again
  bool closeWanted = false;        // once its export has stopped

 signals:
  void told(const exportdeck::gui::Message& message);
  void messageOver();  // what was told no longer holds
  void stateChanged();
  void opened();  // it can be exported
  void openAnotherWanted();
  void exportEnded();

 private:
  void connectParts();
  void setState(State state);
  void inspected(const QJsonObject& answer, int exitCode);
  void measureBounds();  // asks for the bytes at the largest sizes that are set
  void openFailed(const Diagnostic& problem);
  FailedPage& failedPage();
  void ended(const QJsonObject& report, int exitCode);
  void askReplace();
  // What a fix asks for; can be undone.
  void applyChange(const OptionChange& change);
  void changed(const QString& what, std::function<void()> undo);

  services::ToolRunner inspector_, measurer_;
  QTimer measureSoon_;
  QString measured_;  // the bounds that were asked for last
  services::ExportProcess process_;
  QString path_;
  State state_ = State::Blank;
  QSplitter* rows_;
  QSplitter* columns_;
  SourcePanel* source_;
  SetupPane* setup_;
  OutcomePane* outcome_;
  QStackedLayout* pages_;
  FailedPage* failed_ = nullptr;  // in place of all others where the file cannot be read; made when it is needed
};

}  // namespace exportdeck::gui
