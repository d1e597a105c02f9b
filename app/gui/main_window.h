// The window: opens models as tabs; each is set up, exported and judged in its own document.
#pragma once

#include <QMainWindow>
#include <QTimer>

#include "gui/document.h"
#include "options/catalogue.h"
#include "services/profile_store.h"

class QMenu;
class QStackedWidget;
class QToolButton;

namespace exportdeck::gui {

class DocumentTabs;
class EmptyPage;
class ProfileBar;
class ProfileDesk;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(const options::Catalogue& catalogue = options::Catalogue::builtIn(),
                      services::ProfileStore store = services::ProfileStore());

  // In a tab of its own; a model that is open already is shown, and read again unless it is being exported.
  void open(const QString& path);
  void openAll(const QStringList& paths);
  void openSample();
  void startExport();
  void cancelExport();
  void closeDocument(int index);  // asks first where it is being exported
  void openProfile(const QString& path);
  // Of the document that is shown:
  bool isExporting() const { return current_->isExporting(); }
  bool isReading() const { return current_->isReading(); }
  Document& document() const { return *current_; }
  SetupPane& setup() const { return *setup_; }
  OutcomePane& outcome() const { return current_->outcome(); }
  SourcePanel& source() const { return current_->source(); }

  MessageBar& messages() const { return *messages_; }
  ProfileBar& profiles() const { return *profiles_; }
  DocumentTabs& tabs() const { return *tabs_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // main_window.cpp: the parts and how they are connected
  QWidget* makeHeader();
  QWidget* makeSettings();
  QMenu* makeTextSizes(QWidget* parent);
  void setTextSize(int size);  // per cent
  void stepTextSize(int by);
  void fitLeastSize();
  void makeShortcuts();
  void connectParts();
  void rememberPlace() const;
  void restorePlace();
  void escape();
  // main_window_documents.cpp: opening, switching and closing
  Document* addDocument();
  Document* makeDocument();
  void connectDocument(Document* document);
  void openDialog();
  void showDocument(Document* document);
  void tell(Document* document, const Message& message);
  void documentChanged(Document* document);
  void documentEnded(Document* document);
  void removeDocument(Document* document);
  void askCloseDocument(Document* document);
  void askClose();
  int exportsRunning() const;
  int indexOf(const Document* document) const;  // -1: the blank one
  void remember(const QString& path);
  // A page of the profiles, in place of the document.
  void showPage(QWidget* page);
  void closePage();

  const options::Catalogue& catalogue_;
  bool closeWanted_ = false;  // once all exports have stopped
  bool closeAsked_ = false;

  MessageBar* messages_;
  ProfileBar* profiles_ = nullptr;
  ProfileDesk* desk_ = nullptr;
  QToolButton* recent_ = nullptr;
  DocumentTabs* tabs_ = nullptr;
  QStackedWidget* pages_;
  QWidget* page_ = nullptr;  // null: the document's is shown
  EmptyPage* empty_;
  QList<Document*> documents_;  // those with a tab, in its order
  Document* current_ = nullptr;
  Document* spare_ = nullptr;  // made while nothing else is to be done, for the next model
  QTimer makeSpare_;
  // Of the document that is shown; kept in it while another is.
  SetupPane* setup_ = nullptr;
};

}  // namespace exportdeck::gui
