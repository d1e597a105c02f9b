#include "gui/document_tabs.h"

#include <QMouseEvent>

#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

constexpr int kWidest = 230, kNarrowest = 118;

struct Look {
  QString icon;
  Ink ink;
  QString words;
};

Look lookOf(Document::State state) {
  switch (state) {
    case Document::State::Reading:
      return {QStringLiteral("waiting"), Ink::Secondary, DocumentTabs::tr("reading")};
    case Document::State::Failed:
      return {QStringLiteral("error"), Ink::Error, DocumentTabs::tr("not readable")};
    case Document::State::Exporting:
      return {QStringLiteral("running"), Ink::Accent, DocumentTabs::tr("exporting")};
    case Document::State::Done:
      return {QStringLiteral("done"), Ink::Success, DocumentTabs::tr("exported")};
    case Document::State::Stopped:
      return {QStringLiteral("stop"), Ink::Warning, DocumentTabs::tr("cancelled")};
    case Document::State::NotExported:
      return {QStringLiteral("error"), Ink::Error, DocumentTabs::tr("not exported")};
    case Document::State::Blank:
    case Document::State::Ready:
      break;
  }
  return {QStringLiteral("file"), Ink::Secondary, DocumentTabs::tr("ready")};
}

}  // namespace

DocumentTabs::DocumentTabs(QWidget* parent) : QTabBar(parent) {
  setObjectName(QStringLiteral("documentTabs"));
  setProperty("look", "documents");
  setAccessibleName(tr("Open models"));
  setExpanding(false);
  setDrawBase(false);
  setElideMode(Qt::ElideMiddle);
  setUsesScrollButtons(true);
  setMovable(false);
  setIconSize({grid::kIcon, grid::kIcon});
}

int DocumentTabs::add(const Document& document) {
  const int index = addTab(QString());
  QToolButton* close = iconButton(QStringLiteral("close"), tr("Close %1 (Ctrl+W)").arg(document.name()));
  // By keys it is Ctrl+W: a stop at each tab's button would be in the way.
  close->setFocusPolicy(Qt::NoFocus);
  close->setProperty("look", "tabClose");
  close->setIconSize({12, 12});
  setTabButton(index, QTabBar::RightSide, close);
  connect(close, &QToolButton::clicked, this, [this, close] {
    for (int i = 0; i < count(); ++i)
      if (tabButton(i, QTabBar::RightSide) == close) return emit closeWanted(i);
  });
  update(index, document);
  return index;
}

void DocumentTabs::update(int index, const Document& document) {
  const Look look = lookOf(document.state());
  setTabIcon(index, icon(look.icon, look.ink));
  setTabText(index, document.name());
  setTabToolTip(index, tr("%1\n%2").arg(shortPath(document.path()), look.words));
  setAccessibleTabName(index, tr("%1, %2").arg(document.name(), look.words));
}

void DocumentTabs::step(int by) {
  if (count() > 1) setCurrentIndex((currentIndex() + by + count()) % count());
}

void DocumentTabs::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton)
    pressed_ = tabAt(event->pos());
  else
    QTabBar::mousePressEvent(event);
}

void DocumentTabs::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::MiddleButton) return QTabBar::mouseReleaseEvent(event);
  const int over = tabAt(event->pos());
  if (over >= 0 && over == pressed_) emit closeWanted(over);
  pressed_ = -1;
}

QSize DocumentTabs::tabSizeHint(int index) const {
  const QSize wanted = QTabBar::tabSizeHint(index);
  const Theme& theme = Theme::current();
  return {qBound(theme.scaled(kNarrowest), wanted.width(), theme.scaled(kWidest)), wanted.height()};
}

QSize DocumentTabs::minimumTabSizeHint(int index) const {
  return {Theme::current().scaled(kNarrowest), QTabBar::tabSizeHint(index).height()};
}

}  // namespace exportdeck::gui
