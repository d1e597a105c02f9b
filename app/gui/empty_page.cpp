#include "gui/empty_page.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QPainter>
#include <QPushButton>

#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

class Symbol : public QWidget {
 public:
  Symbol() { setFixedSize(44, 44); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintIcon(painter, rect(), QStringLiteral("drop"), Ink::Accent);
  }
};

// The page is of one width, and the height of wrapped text follows from it.
constexpr int kWidth = 560, kSide = 56, kMark = 18;
constexpr int kTextWidth = kWidth - 2 * kSide - kMark - grid::kGap;

QWidget* step(const QString& number, const QString& text) {
  auto* line = new QWidget;
  auto* mark = label(number, FontRole::Strong, "secondary");
  holdWidth(mark, kMark, kMark);
  auto* words = label(text);
  words->setWordWrap(true);
  const auto fit = [words] { words->setMinimumHeight(words->heightForWidth(Theme::current().scaled(kTextWidth))); };
  QObject::connect(&Theme::current(), &Theme::changed, words, fit);
  fit();
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(grid::kGap);
  row->addWidget(mark, 0, Qt::AlignTop);
  row->addWidget(words, 1);
  return line;
}

}  // namespace

EmptyPage::EmptyPage(QWidget* parent) : QWidget(parent), target_(new QWidget), recent_(new QWidget) {
  setObjectName(QStringLiteral("emptyPage"));
  holdWidth(target_, kWidth, kWidth);
  QPushButton* open = textButton(icon(QStringLiteral("open"), Ink::OnAccent), tr("&Open a model…"), tr("Open a model"));
  open->setObjectName(QStringLiteral("emptyOpen"));
  open->setProperty("look", "primary");
  QPushButton* sample = textButton(icon(QStringLiteral("sample")), tr("&Try the sample"),
                                   tr("Try the sample: a classifier of handwritten digits"));
  sample->setObjectName(QStringLiteral("trySample"));
  auto* title = label(tr("Drop .pt2 files here"), FontRole::Title);
  title->setAlignment(Qt::AlignCenter);

  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(grid::kGap);
  buttons->addStretch();
  buttons->addWidget(open);
  buttons->addWidget(sample);
  buttons->addStretch();
  auto* column = new QVBoxLayout(target_);
  column->setContentsMargins(kSide, 36, kSide, 32);
  column->setSpacing(grid::kGap);
  column->addWidget(new Symbol, 0, Qt::AlignHCenter);
  column->addSpacing(grid::kGap);
  column->addWidget(title);
  column->addSpacing(grid::kGap);
  column->addWidget(step(tr("1"), tr("The program and its weights are read from the archive.")));
  column->addWidget(step(
      tr("2"), tr("It is lowered for the backend you choose; what the backend leaves out is listed with the reason.")));
  column->addWidget(
      step(tr("3"), tr("What comes out is run once with the ExecuTorch runtime, before the file gets its name.")));
  column->addSpacing(grid::kMargin);
  column->addLayout(buttons);

  holdWidth(recent_, kWidth, kWidth);
  recentRows_ = new QVBoxLayout(recent_);
  recentRows_->setContentsMargins(kSide, 0, kSide, 0);
  recentRows_->setSpacing(0);
  auto* page = new QVBoxLayout(this);
  page->addStretch(2);
  page->addWidget(target_, 0, Qt::AlignHCenter);
  page->addSpacing(grid::kMargin);
  page->addWidget(recent_, 0, Qt::AlignHCenter);
  page->addStretch(3);
  connect(open, &QPushButton::clicked, this, &EmptyPage::openWanted);
  connect(sample, &QPushButton::clicked, this, &EmptyPage::sampleWanted);
  recent_->hide();
}

void EmptyPage::setRecent(const QStringList& paths) {
  while (QLayoutItem* item = recentRows_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  recent_->setVisible(!paths.isEmpty());
  if (paths.isEmpty()) return;
  recentRows_->addWidget(label(tr("Recent"), FontRole::Small, "secondary"));
  for (const QString& path : paths) {
    const QFileInfo file(path);
    const QString text = tr("%1  —  %2").arg(file.fileName(), shortPath(file.absolutePath()));
    QPushButton* button = textButton(icon(QStringLiteral("file")), fontMetrics().elidedText(text, Qt::ElideMiddle, 400),
                                     tr("Open %1").arg(path));
    button->setProperty("look", "quiet");
    button->setStyleSheet(QStringLiteral("text-align: left"));
    button->setToolTip(path);
    connect(button, &QPushButton::clicked, this, [this, path] { emit recentWanted(path); });
    recentRows_->addWidget(button);
  }
}

void EmptyPage::setDropHover(bool hover) {
  hover_ = hover;
  update();
}

void EmptyPage::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(hover_ ? colors().accent : colors().lineStrong, hover_ ? 2.0 : 1.2, Qt::CustomDashLine);
  pen.setDashPattern({5, 4});
  painter.setPen(pen);
  painter.setBrush(hover_ ? colors().accentSoft : colors().surface);
  painter.drawRoundedRect(QRectF(target_->geometry()).adjusted(1, 1, -1, -1), 14, 14);
}

}  // namespace exportdeck::gui
