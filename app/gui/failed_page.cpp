#include "gui/failed_page.h"

#include <QBoxLayout>
#include <QFileInfo>

#include "gui/export_report.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

constexpr int kWidth = 640;

QLabel* wrapped(QLabel* made, const char* name) {
  made->setObjectName(QString::fromLatin1(name));
  made->setWordWrap(true);
  made->setTextFormat(Qt::PlainText);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return made;
}

QString textOf(const std::string& text) {
  return sentence(capitalised(QString::fromStdString(text)));
}

// The place inside the file, as far as it is known.
QString placeIn(const QString& path, const Origin& where) {
  QStringList lines{shortPath(path)};
  if (const QString inside = placeText(where); !inside.isEmpty()) lines << inside;
  if (!where.op.empty()) lines << FailedPage::tr("operator %1").arg(QString::fromStdString(where.op));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

FailedPage::FailedPage(QWidget* parent)
    : QWidget(parent),
      symbol_(new QLabel),
      title_(wrapped(label(QString(), FontRole::Title), "failedTitle")),
      what_(wrapped(label(QString()), "failedWhat")),
      again_(textButton(icon(QStringLiteral("redo")), tr("Try again"), tr("Read the file again"))) {
  setObjectName(QStringLiteral("failedPage"));
  setProperty("look", "panel");
  setAttribute(Qt::WA_StyledBackground);
  symbol_->setFixedSize(grid::kIcon, grid::kIcon);
  auto* box = new QWidget;
  holdWidth(box, kWidth, kWidth);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(grid::kUnit);
  auto* head = new QHBoxLayout;
  head->setSpacing(grid::kGap);
  head->addWidget(symbol_, 0, Qt::AlignTop);
  head->addWidget(title_, 1);
  column->addLayout(head);
  column->addSpacing(grid::kUnit);
  column->addWidget(what_);
  box->setLayout(column);
  why_ = addPart(tr("Why"), "failedWhy");
  where_ = addPart(tr("Where"), "failedWhere");
  help_ = addPart(tr("What to do"), "failedHelp");
  for (QLabel* part : {why_, where_, help_}) column->addWidget(part->parentWidget());
  auto* choose =
      textButton(icon(QStringLiteral("open"), Ink::OnAccent), tr("Choose another file…"), tr("Choose another file"));
  choose->setObjectName(QStringLiteral("chooseAnother"));
  choose->setProperty("look", "primary");
  again_->setObjectName(QStringLiteral("tryAgain"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(grid::kGap);
  buttons->addWidget(choose);
  buttons->addWidget(again_);
  buttons->addStretch();
  column->addSpacing(grid::kMargin);
  column->addLayout(buttons);
  auto* page = new QVBoxLayout(this);
  page->addStretch(2);
  page->addWidget(box, 0, Qt::AlignHCenter);
  page->addStretch(3);
  connect(choose, &QPushButton::clicked, this, &FailedPage::chooseWanted);
  connect(again_, &QPushButton::clicked, this, &FailedPage::againWanted);
  connect(&Theme::current(), &Theme::changed, this,
          [this] { symbol_->setPixmap(iconPixmap(QStringLiteral("error"), Ink::Error, this)); });
  setFocusProxy(choose);
}

QLabel* FailedPage::addPart(const QString& caption, const char* name) {
  auto* part = new QWidget;
  QLabel* text = wrapped(label(QString()), name);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, grid::kGap, 0, 0);
  column->setSpacing(1);
  column->addWidget(label(caption, FontRole::Small, "secondary"));
  column->addWidget(text);
  return text;
}

void FailedPage::setPart(QLabel* part, const QString& text) {
  part->setText(text);
  part->setAccessibleName(text);
  part->parentWidget()->setVisible(!text.isEmpty());
}

void FailedPage::showProblem(const QString& path, const Diagnostic& problem) {
  symbol_->setPixmap(iconPixmap(QStringLiteral("error"), Ink::Error, this));
  title_->setText(tr("%1 cannot be opened").arg(QFileInfo(path).fileName()));
  what_->setText(textOf(problem.message));
  setPart(why_, textOf(problem.why));
  setPart(where_, placeIn(path, problem.where));
  QStringList help;
  for (const std::string& fix : problem.fixes) help << QStringLiteral("•  %1").arg(textOf(fix));
  if (help.isEmpty()) help << tr("Check that the file is whole, and that torch.export.save wrote it.");
  setPart(help_, help.join(QLatin1Char('\n')));
  for (QLabel* text : {title_, what_}) text->setAccessibleName(text->text());
  setAccessibleName(tr("%1: %2").arg(title_->text(), what_->text()));
  again_->setEnabled(true);
  again_->setText(tr("Try again"));
}

void FailedPage::showTrying() {
  again_->setEnabled(false);
  again_->setText(tr("Reading…"));
}

}  // namespace exportdeck::gui
