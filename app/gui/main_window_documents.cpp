// The documents of the window: opening models, going from one to another, closing them.
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QToolButton>
#include <utility>

#include "gui/backend_model.h"
#include "gui/document_tabs.h"
#include "gui/empty_page.h"
#include "gui/file_dialogs.h"
#include "gui/main_window.h"
#include "gui/message_bar.h"
#include "gui/profile_bar.h"
#include "gui/profile_desk.h"
#include "gui/settings.h"
#include "gui/setup_pane.h"
#include "gui/texts.h"

namespace exportdeck::gui {

int MainWindow::indexOf(const Document* document) const {
  return static_cast<int>(documents_.indexOf(document));
}

int MainWindow::exportsRunning() const {
  return static_cast<int>(
      std::count_if(documents_.begin(), documents_.end(), [](const Document* d) { return d->isExporting(); }));
}

Document* MainWindow::makeDocument() {
  auto* document = new Document(catalogue_, pages_);
  pages_->addWidget(document);
  connectDocument(document);
  return document;
}

// Making one takes some 40 ms: too long to do between a click and what it does.
Document* MainWindow::addDocument() {
  Document* document = spare_ ? std::exchange(spare_, nullptr) : makeDocument();
  if (current_) document->setArrangement(current_->arrangement());
  makeSpare_.start();
  return document;
}

void MainWindow::connectDocument(Document* document) {
  connect(document, &Document::told, this, [this, document](const Message& message) { tell(document, message); });
  connect(document, &Document::messageOver, this, [this, document] {
    document->message.reset();
    if (document == current_ && !closeAsked_) messages_->dismiss();
  });
  connect(document, &Document::stateChanged, this, [this, document] { documentChanged(document); });
  connect(document, &Document::opened, this, [this, document] {
    if (document == current_) setup_->backends().setFocus();
    remember(document->path());
  });
  connect(document, &Document::openAnotherWanted, this, &MainWindow::openDialog);
  connect(document, &Document::exportEnded, this, [this, document] { documentEnded(document); });
  connect(&document->setup(), &SetupPane::edited, this, [this, document] { desk_->edited(document); });
}

// The parts that all documents share follow the one that is shown.
void MainWindow::showDocument(Document* document) {
  if (document == current_) return;
  closePage();
  if (current_) {
    document->setArrangement(current_->arrangement());
    if (!closeAsked_) {
      if (messages_->isVisibleTo(this)) current_->message = messages_->message();
      messages_->dismiss();
    }
  }
  const bool fresh = document->state() == Document::State::Blank;
  current_ = document;
  setup_ = &document->setup();
  desk_->show(document, fresh);
  if (document->message) {
    messages_->show(*document->message);
    document->message.reset();
  }
  documentChanged(document);
}

void MainWindow::documentChanged(Document* document) {
  const int index = indexOf(document);
  if (index >= 0) tabs_->update(index, *document);
  if (document != current_) return;
  const bool blank = document->state() == Document::State::Blank;
  if (!page_) pages_->setCurrentWidget(blank ? static_cast<QWidget*>(empty_) : document);
  setWindowTitle(blank ? tr("ExportDeck") : tr("%1 — ExportDeck").arg(document->name()));
  profiles_->setEnabled(document->state() != Document::State::Exporting);
}

// What a document in the background has to say waits until it is shown; its tab says that there is something.
void MainWindow::tell(Document* document, const Message& message) {
  if (document == current_)
    messages_->show(message);
  else
    document->message = message;
}

void MainWindow::openDialog() {
  QFileDialog* dialog = fileDialog(this, tr("Open a model"), tr("Exported PyTorch programs (*.pt2);;All files (*)"),
                                   FileKind::Model, current_->path());
  dialog->setFileMode(QFileDialog::ExistingFiles);
  connect(dialog, &QFileDialog::filesSelected, this, &MainWindow::openAll);
  dialog->open();
}

// One a turn of the event loop.
void MainWindow::openAll(const QStringList& paths) {
  if (paths.isEmpty()) return;
  open(paths.front());
  if (paths.size() > 1) QTimer::singleShot(0, this, [this, rest = paths.mid(1)] { openAll(rest); });
}

void MainWindow::open(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  const auto known =
      std::find_if(documents_.begin(), documents_.end(), [&](const Document* d) { return d->path() == whole; });
  Document* document = known != documents_.end() ? *known : nullptr;
  // A file that could not be read makes room for the next.
  if (!document && (indexOf(current_) < 0 || current_->state() == Document::State::Failed)) document = current_;
  if (!document) document = addDocument();
  if (indexOf(document) < 0) {
    showDocument(document);
    documents_.append(document);
    tabs_->setCurrentIndex(tabs_->add(*document));
  } else {
    tabs_->setCurrentIndex(indexOf(document));
  }
  if (!document->isExporting()) document->open(whole);
}

// The sample lives in the program; an export needs a file.
void MainWindow::openSample() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/samples");
  const QString path = folder + QStringLiteral("/digits.pt2");
  QFile inside(QStringLiteral(":/gui/samples/digits.pt2"));
  const bool same = QFileInfo(path).size() == inside.size();
  if (!same) {
    QFile::remove(path);
    if (!QDir().mkpath(folder) || !inside.copy(path)) {
      messages_->show(
          {Tone::Error, tr("The sample cannot be written to %1.").arg(shortPath(folder)), inside.errorString(), {}});
      return;
    }
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
  }
  open(path);
}

void MainWindow::remember(const QString& path) {
  QSettings settings = session();
  QStringList recent = settings.value(QStringLiteral("recent")).toStringList();
  if (!path.isEmpty()) {
    recent.removeAll(path);
    recent.prepend(path);
    recent = recent.mid(0, settingNumber(Setting::RecentModels));
    settings.setValue(QStringLiteral("recent"), recent);
  }
  empty_->setRecent(recent);
  recent_->setEnabled(!recent.isEmpty());
  auto* menu = new QMenu(recent_);
  for (const QString& item : recent) menu->addAction(shortPath(item), this, [this, item] { open(item); });
  if (QMenu* old = recent_->menu()) old->deleteLater();
  recent_->setMenu(menu);
}

void MainWindow::startExport() {
  current_->startExport();
}

void MainWindow::cancelExport() {
  current_->cancelExport();
}

void MainWindow::documentEnded(Document* document) {
  if (closeWanted_) {
    if (exportsRunning() == 0) close();
    return;
  }
  if (document->closeWanted) return removeDocument(document);
  // The question whether to cancel it has answered itself.
  if (document == current_ && messages_->isAsking() && !(closeAsked_ && exportsRunning() > 0)) messages_->dismiss();
  if (exportsRunning() == 0) closeAsked_ = false;
  if (document->message && document->message->tone == Tone::Question) document->message.reset();
}

void MainWindow::closeDocument(int index) {
  Document* document = documents_[index];
  if (!document->isExporting()) return removeDocument(document);
  tabs_->setCurrentIndex(index);
  askCloseDocument(document);
}

void MainWindow::askCloseDocument(Document* document) {
  messages_->show({Tone::Question,
                   tr("%1 is being exported.").arg(document->name()),
                   tr("Closing its tab cancels the export; nothing is left behind."),
                   {{tr("Cancel export and close"),
                     [document] {
                       document->closeWanted = true;
                       document->cancelExport();
                     }},
                    {tr("Keep running"), {}}}});
}

void MainWindow::removeDocument(Document* document) {
  const int index = indexOf(document);
  if (document == current_) {
    Document* next = documents_.size() == 1 ? addDocument() : documents_[index > 0 ? index - 1 : 1];
    showDocument(next);
  }
  documents_.removeAt(index);
  {
    const QSignalBlocker quiet(tabs_);
    tabs_->removeTab(index);
    tabs_->setCurrentIndex(indexOf(current_));
  }
  pages_->removeWidget(document);
  document->deleteLater();
}

void MainWindow::askClose() {
  const int running = exportsRunning();
  closeAsked_ = true;
  messages_->show({Tone::Question,
                   running == 1 ? tr("An export is running.") : tr("%1 exports are running.").arg(running),
                   running == 1 ? tr("Closing the window cancels it; nothing is left behind.")
                                : tr("Closing the window cancels them; nothing is left behind."),
                   {{running == 1 ? tr("Cancel export and close") : tr("Cancel exports and close"),
                     [this] {
                       closeAsked_ = false;
                       closeWanted_ = true;
                       for (Document* document : documents_) document->cancelExport();
                     }},
                    {tr("Keep running"), [this] { closeAsked_ = false; }}}});
}

}  // namespace exportdeck::gui
