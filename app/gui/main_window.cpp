#include "gui/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>

#include "gui/document_tabs.h"
#include "gui/empty_page.h"
#include "gui/message_bar.h"
#include "gui/outcome_pane.h"
#include "gui/profile_bar.h"
#include "gui/profile_desk.h"
#include "gui/settings.h"
#include "gui/setup_pane.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

namespace {
constexpr int kTextSizes[] = {90, 100, 110, 125, 150};
}

MainWindow::MainWindow(const options::Catalogue& catalogue, services::ProfileStore store)
    : catalogue_(catalogue), messages_(new MessageBar), pages_(new QStackedWidget), empty_(new EmptyPage) {
  setWindowTitle(tr("ExportDeck"));
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  resize(1280, 860);
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addWidget(messages_);
  pages_->addWidget(empty_);
  column->addWidget(pages_, 1);
  setCentralWidget(body);
  body->installEventFilter(this);
  desk_ = new ProfileDesk(std::move(store), *profiles_, *messages_, this);
  makeShortcuts();
  connectParts();
  showDocument(addDocument());
  fitLeastSize();
  restorePlace();
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
  tabs_ = new DocumentTabs;
  profiles_ = new ProfileBar;
  auto* row = new QHBoxLayout(header);
  // The tabs stand on the header's lower edge.
  row->setContentsMargins(grid::kMargin, 0, grid::kMargin, 0);
  header->setMinimumHeight(open->sizeHint().height() + 2 * grid::kGap + grid::kUnit);
  row->setSpacing(grid::kGap);
  row->addWidget(open);
  row->addWidget(recent_);
  row->addSpacing(grid::kGap);
  row->addWidget(tabs_, 1, Qt::AlignBottom);
  row->addSpacing(grid::kGap);
  row->addWidget(profiles_);
  row->addWidget(makeSettings());
  return header;
}

QWidget* MainWindow::makeSettings() {
  QToolButton* button = iconButton(QStringLiteral("settings"), tr("Settings"));
  button->setObjectName(QStringLiteral("settingsButton"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  auto* themes = new QActionGroup(menu);
  const std::pair<const char*, QString> choices[] = {
      {"system", tr("Colours of the system")}, {"light", tr("Light")}, {"dark", tr("Dark")}};
  for (const auto& [value, title] : choices) {
    QAction* action = menu->addAction(title);
    action->setCheckable(true);
    action->setChecked(settingText(Setting::Theme) == QLatin1String(value));
    themes->addAction(action);
    connect(action, &QAction::triggered, this, [word = QString::fromLatin1(value)] {
      setSetting(Setting::Theme, word);
      Theme::useSetting();
    });
  }
  menu->addMenu(makeTextSizes(menu));
  menu->addSeparator();
  QAction* run = menu->addAction(tr("Run programs after export, unless told otherwise"));
  run->setCheckable(true);
  run->setChecked(settingSwitch(Setting::RunAfterExport));
  connect(run, &QAction::toggled, this, [](bool on) { setSetting(Setting::RunAfterExport, on); });
  button->setMenu(menu);
  return button;
}

QMenu* MainWindow::makeTextSizes(QWidget* parent) {
  auto* menu = new QMenu(tr("Text size"), parent);
  menu->setObjectName(QStringLiteral("textSizes"));
  auto* sizes = new QActionGroup(menu);
  for (const int size : kTextSizes) {
    QAction* action = menu->addAction(size == 100 ? tr("%1 % (as the system's)").arg(size) : tr("%1 %").arg(size));
    action->setCheckable(true);
    action->setData(size);
    sizes->addAction(action);
    connect(action, &QAction::triggered, this, [this, size] { setTextSize(size); });
  }
  connect(menu, &QMenu::aboutToShow, sizes, [sizes] {
    for (QAction* action : sizes->actions())
      action->setChecked(action->data().toInt() == settingNumber(Setting::TextSize));
  });
  return menu;
}

void MainWindow::setTextSize(int size) {
  setSetting(Setting::TextSize, size);
  Theme::useSetting();
}

void MainWindow::stepTextSize(int by) {
  const auto at = std::lower_bound(std::begin(kTextSizes), std::end(kTextSizes), settingNumber(Setting::TextSize));
  const qsizetype next = std::distance(std::begin(kTextSizes), at) + by;
  if (next >= 0 && next < std::ssize(kTextSizes)) setTextSize(kTextSizes[next]);
}

// Larger text needs more room: nothing is cut.
void MainWindow::fitLeastSize() {
  const QSize least(1024, 700), most(Theme::current().scaled(least.width()), Theme::current().scaled(least.height()));
  setMinimumSize(centralWidget()->minimumSizeHint().boundedTo(most).expandedTo(least));
}

// What is shown came to need more room, or less.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == centralWidget() && event->type() == QEvent::LayoutRequest) fitLeastSize();
  return QMainWindow::eventFilter(watched, event);
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
  add(QKeySequence::Save, [this] { desk_->save(); });
  add(QKeySequence(Qt::Key_Escape), &MainWindow::escape);
  add(QKeySequence(QStringLiteral("Ctrl+W")), [this] {
    if (indexOf(current_) >= 0) closeDocument(indexOf(current_));
  });
  for (const char* keys : {"Ctrl+Tab", "Ctrl+PgDown"})
    add(QKeySequence(QLatin1String(keys)), [this] { tabs_->step(1); });
  for (const char* keys : {"Ctrl+Shift+Tab", "Ctrl+PgUp"})
    add(QKeySequence(QLatin1String(keys)), [this] { tabs_->step(-1); });
  add(QKeySequence::Quit, &MainWindow::close);
  for (const char* keys : {"Ctrl++", "Ctrl+="}) add(QKeySequence(QLatin1String(keys)), [this] { stepTextSize(1); });
  add(QKeySequence(QStringLiteral("Ctrl+-")), [this] { stepTextSize(-1); });
  add(QKeySequence(QStringLiteral("Ctrl+0")), [this] { setTextSize(100); });
}

void MainWindow::connectParts() {
  connect(empty_, &EmptyPage::openWanted, this, &MainWindow::openDialog);
  connect(empty_, &EmptyPage::sampleWanted, this, &MainWindow::openSample);
  connect(empty_, &EmptyPage::recentWanted, this, &MainWindow::open);
  connect(desk_, &ProfileDesk::pageWanted, this, &MainWindow::showPage);
  connect(desk_, &ProfileDesk::pageDone, this, &MainWindow::closePage);
  connect(tabs_, &DocumentTabs::currentChanged, this, [this](int index) {
    if (index >= 0 && index < documents_.size()) showDocument(documents_[index]);
  });
  makeSpare_.setSingleShot(true);
  makeSpare_.setInterval(150);
  connect(&makeSpare_, &QTimer::timeout, this, [this] {
    if (!spare_) spare_ = makeDocument();
  });
  connect(tabs_, &DocumentTabs::closeWanted, this, &MainWindow::closeDocument);
}

void MainWindow::openProfile(const QString& path) {
  desk_->openFile(path);
}

void MainWindow::showPage(QWidget* page) {
  closePage();
  page_ = page;
  pages_->addWidget(page);
  pages_->setCurrentWidget(page);
  page->setFocus();
}

void MainWindow::closePage() {
  if (!page_) return;
  QWidget* page = std::exchange(page_, nullptr);
  documentChanged(current_);
  pages_->removeWidget(page);
  page->deleteLater();
}

// What is in front goes first: the message, a page of the profiles, the export.
void MainWindow::escape() {
  if (messages_->isAsking()) return messages_->dismiss();
  if (page_) return closePage();
  if (isExporting()) return cancelExport();
  messages_->dismiss();
}

namespace {

QStringList droppedFiles(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  return files;
}

}  // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedFiles(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  empty_->setDropHover(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
  empty_->setDropHover(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
  empty_->setDropHover(false);
  const QStringList files = droppedFiles(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  QStringList models;
  for (const QString& file : files) file.endsWith(QLatin1String(".json")) ? openProfile(file) : models.append(file);
  openAll(models);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (exportsRunning() > 0) {
    event->ignore();
    return askClose();
  }
  rememberPlace();
  QMainWindow::closeEvent(event);
}

void MainWindow::rememberPlace() const {
  QSettings settings = session();
  settings.setValue(QStringLiteral("geometry"), saveGeometry());
  settings.setValue(QStringLiteral("arrangement"), current_->arrangement());
}

void MainWindow::restorePlace() {
  const QSettings settings = session();
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  current_->setArrangement(settings.value(QStringLiteral("arrangement")).toByteArray());
}

}  // namespace exportdeck::gui
