#include "gui/main_window.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>

#include "gui/empty_page.h"
#include "gui/log_view.h"
#include "gui/message_bar.h"
#include "gui/options_panel.h"
#include "gui/outcome_pane.h"
#include "gui/output_bar.h"
#include "gui/profile_bar.h"
#include "gui/setup_pane.h"
#include "gui/source_panel.h"
#include "gui/texts.h"
#include "gui/widgets.h"
#include "gui/window_settings.h"

namespace exportdeck::gui {

MainWindow::MainWindow(const options::Catalogue& catalogue, services::ProfileStore store)
    : catalogue_(catalogue),
      store_(std::move(store)),
      messages_(new MessageBar),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      source_(new SourcePanel),
      setup_(new SetupPane(catalogue)),
      outcome_(new OutcomePane) {
  setWindowTitle(tr("ExportDeck"));
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  setMinimumSize(1024, 700);
  resize(1280, 840);
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addWidget(messages_);
  pages_->addWidget(empty_);
  pages_->addWidget(makeWork());
  column->addWidget(pages_, 1);
  setCentralWidget(body);
  restorePlace();
  makeShortcuts();
  connectParts();
  outcome_->watch(process_);
  listProfiles();
  savedProfile_ = options::writeProfile(setup_->profile(QString()));
  remember(QString());
  // Nothing is chosen yet: the first Tab goes to the first control.
  body->setFocus();
}

QWidget* MainWindow::makeHeader() {
  auto* header = new QFrame;
  header->setProperty("look", "header");
  QPushButton* open = textButton(icon(QStringLiteral("open")), tr("Open…"), tr("Open a model"));
  open->setObjectName(QStringLiteral("openButton"));
  open->setToolTip(tr("Open a model (Ctrl+O)"));
  connect(open, &QPushButton::clicked, this, &MainWindow::openDialog);
  recent_ = iconButton(QStringLiteral("clock"), tr("Recent models"));
  recent_->setObjectName(QStringLiteral("recentButton"));
  recent_->setPopupMode(QToolButton::InstantPopup);
  profiles_ = new ProfileBar;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(grid::kMargin, grid::kGap, grid::kMargin, grid::kGap);
  row->setSpacing(grid::kGap);
  row->addWidget(open);
  row->addWidget(recent_);
  row->addStretch();
  row->addWidget(profiles_);
  return header;
}

QWidget* MainWindow::makeWork() {
  columns_ = new QSplitter(Qt::Horizontal);
  columns_->setHandleWidth(1);
  columns_->setChildrenCollapsible(false);
  columns_->addWidget(source_);
  columns_->addWidget(setup_);
  columns_->setStretchFactor(0, 0);
  columns_->setStretchFactor(1, 1);
  columns_->setSizes({264, 900});
  rows_ = new QSplitter(Qt::Vertical);
  rows_->setHandleWidth(1);
  rows_->setChildrenCollapsible(false);
  rows_->addWidget(columns_);
  rows_->addWidget(outcome_);
  rows_->setStretchFactor(0, 3);
  rows_->setStretchFactor(1, 2);
  rows_->setSizes({500, 300});
  return rows_;
}

void MainWindow::makeShortcuts() {
  const auto add = [this](const QKeySequence& keys, auto method) {
    connect(new QShortcut(keys, this), &QShortcut::activated, this, method);
  };
  add(QKeySequence::Open, &MainWindow::openDialog);
  for (const char* keys : {"Ctrl+E", "Ctrl+Return", "Ctrl+Enter"}) {
    add(QKeySequence(QLatin1String(keys)), [this] {
      if (!isExporting()) startExport();
    });
  }
  add(QKeySequence::Save,
      [this] { profiles_->current().isEmpty() ? profiles_->askName() : saveProfile(profiles_->current()); });
  add(QKeySequence(Qt::Key_Escape), &MainWindow::escape);
  add(QKeySequence::Quit, &MainWindow::close);
}

void MainWindow::connectParts() {
  connect(empty_, &EmptyPage::openWanted, this, &MainWindow::openDialog);
  connect(empty_, &EmptyPage::sampleWanted, this, &MainWindow::openSample);
  connect(empty_, &EmptyPage::recentWanted, this, &MainWindow::open);
  connect(setup_, &SetupPane::exportWanted, this, &MainWindow::startExport);
  connect(setup_, &SetupPane::cancelWanted, this, &MainWindow::cancelExport);
  connect(setup_, &SetupPane::edited, this, &MainWindow::profileEdited);
  connect(setup_, &SetupPane::allReset, this, [this](int count) {
    messages_->show({Tone::Info,
                     count == 1 ? tr("1 option reset") : tr("%1 options reset").arg(count),
                     {},
                     {{tr("Undo"), [this] { setup_->options().restore(); }}}});
  });
  connect(profiles_, &ProfileBar::chosen, this, &MainWindow::chooseProfile);
  connect(profiles_, &ProfileBar::saveWanted, this, &MainWindow::saveProfile);
  connect(profiles_, &ProfileBar::loadWanted, this, &MainWindow::loadProfileDialog);
  connect(&outcome_->log(), &LogView::saved, this, [this](const QString& path) {
    messages_->show({Tone::Success, tr("The log is saved"), shortPath(path), {}});
  });
  connect(&outcome_->log(), &LogView::saveFailed, this, [this](const QString& path, const QString& reason) {
    messages_->show({Tone::Error, tr("The log cannot be saved to %1").arg(shortPath(path)), reason, {}});
  });
  connect(&inspector_, &services::ToolRunner::finished, this, &MainWindow::inspected);
  connect(&process_, &services::ExportProcess::finished, this, &MainWindow::exportEnded);
}

namespace {

QString droppedFile(const QMimeData* data) {
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) return url.toLocalFile();
  return {};
}

}  // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedFile(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  empty_->setDropHover(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
  empty_->setDropHover(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
  empty_->setDropHover(false);
  const QString path = droppedFile(event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  open(path);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (isExporting()) {
    event->ignore();
    return askClose();
  }
  rememberPlace();
  QMainWindow::closeEvent(event);
}

void MainWindow::rememberPlace() const {
  QSettings settings = windowSettings();
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("rows"), rows_->saveState());
  settings.setValue(QStringLiteral("columns"), columns_->saveState());
}

void MainWindow::restorePlace() {
  const QSettings settings = windowSettings();
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  rows_->restoreState(settings.value(QStringLiteral("rows")).toByteArray());
  columns_->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
}

}  // namespace exportdeck::gui
