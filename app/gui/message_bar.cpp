#include "gui/message_bar.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "gui/icons.h"
#include "gui/texts.h"
#include "gui/theme.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

struct Look {
  const char* tone;
  QString icon;
  Ink ink;
};

Look lookOf(Tone tone) {
  switch (tone) {
    case Tone::Info:
      return {"info", QStringLiteral("info"), Ink::Accent};
    case Tone::Success:
      return {"success", QStringLiteral("done"), Ink::Success};
    case Tone::Warning:
      return {"warning", QStringLiteral("warning"), Ink::Warning};
    case Tone::Error:
      return {"error", QStringLiteral("error"), Ink::Error};
    case Tone::Question:
      return {"warning", QStringLiteral("question"), Ink::Warning};
  }
  return {"info", QStringLiteral("info"), Ink::Accent};
}

QString toneWord(Tone tone) {
  switch (tone) {
    case Tone::Info:
      return MessageBar::tr("Information");
    case Tone::Success:
      return MessageBar::tr("Done");
    case Tone::Warning:
      return MessageBar::tr("Warning");
    case Tone::Error:
      return MessageBar::tr("Error");
    case Tone::Question:
      return MessageBar::tr("Question");
  }
  return {};
}

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("messageBar"));
  setProperty("look", "message");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(grid::kMargin, grid::kGap, grid::kGap, grid::kGap);
  row->setSpacing(grid::kGap);
  icon_ = new QLabel;
  icon_->setFixedSize(grid::kIcon, grid::kIcon);
  text_ = new QLabel;
  text_->setObjectName(QStringLiteral("messageText"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::RichText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  actions_ = new QHBoxLayout;
  actions_->setSpacing(grid::kGap);
  close_ = new QToolButton;
  close_->setIcon(icon(QStringLiteral("close")));
  nameWidget(close_, tr("Dismiss the message"));
  connect(close_, &QToolButton::clicked, this, &MessageBar::dismiss);
  row->addWidget(icon_);
  row->addWidget(text_, 1);
  row->addLayout(actions_);
  row->addWidget(close_);
  connect(&Theme::current(), &Theme::changed, this,
          [this] { icon_->setPixmap(iconPixmap(lookOf(current_.tone).icon, lookOf(current_.tone).ink, this)); });
  hide();
}

void MessageBar::show(Message message) {
  if (isAsking() && message.tone != Tone::Question) {
    waiting_ = std::move(message);
    return;
  }
  if (isAsking()) waiting_.reset();
  present(std::move(message));
}

void MessageBar::present(Message message) {
  current_ = std::move(message);
  const Look look = lookOf(current_.tone);
  setProperty("tone", look.tone);
  style()->unpolish(this);
  style()->polish(this);
  icon_->setPixmap(iconPixmap(look.icon, look.ink, this));
  QString html = QStringLiteral("<b>%1</b>").arg(sentence(current_.text).toHtmlEscaped());
  if (!current_.detail.isEmpty())
    html += QStringLiteral(" ") +
            sentence(current_.detail).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
  text_->setText(html);
  const QString spoken = tr("%1: %2 %3").arg(toneWord(current_.tone), current_.text, current_.detail);
  setAccessibleName(spoken);
  text_->setAccessibleName(spoken);
  for (QPushButton* button : buttons_) button->deleteLater();
  buttons_.clear();
  for (const MessageAction& action : current_.actions) addAction(action);
  close_->setVisible(current_.tone != Tone::Question);
  QFrame::show();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
  if (current_.tone == Tone::Question && !buttons_.empty()) buttons_.back()->setFocus();
}

void MessageBar::addAction(const MessageAction& action) {
  auto* button = new QPushButton(action.text);
  nameWidget(button, action.text);
  button->setToolTip(QString());
  connect(button, &QPushButton::clicked, this, [this, run = action.run] {
    dismiss();
    if (run) run();
  });
  actions_->addWidget(button);
  buttons_.push_back(button);
}

void MessageBar::dismiss() {
  hide();
  current_ = {};
  if (waiting_) {
    Message next = std::move(*waiting_);
    waiting_.reset();
    present(std::move(next));
  }
}

}  // namespace exportdeck::gui
