#include "gui/result_page.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QUrl>

#include "gui/left_out_model.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

ResultPage::ResultPage(QWidget* parent) : QWidget(parent), leftOut_(new LeftOutModel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kMargin, grid::kMargin - grid::kUnit, grid::kMargin, grid::kGap);
  column->setSpacing(grid::kMargin - grid::kUnit);
  column->addWidget(makeHead());
  column->addWidget(makeFacts());
  column->addWidget(makeTable(), 1);
  column->addStretch(0);
  connect(&Theme::current(), &Theme::changed, this, [this] { symbol_->setPixmap(iconPixmap(icon_, ink_, this)); });
  showNothing();
}

QWidget* ResultPage::makeHead() {
  auto* head = new QWidget;
  symbol_ = new QLabel;
  symbol_->setFixedSize(grid::kIcon, grid::kIcon);
  headline_ = label(QString(), FontRole::Strong);
  headline_->setObjectName(QStringLiteral("resultHeadline"));
  line_ = new ElidedLabel;
  line_->setObjectName(QStringLiteral("resultLine"));
  line_->setProperty("look", "secondary");
  reveal_ = textButton(icon(QStringLiteral("folder")), tr("Show in folder"), tr("Show the program in its folder"));
  reveal_->setObjectName(QStringLiteral("revealResult"));
  copy_ = textButton(icon(QStringLiteral("copy")), tr("Copy path"), tr("Copy the path of the program"));
  copy_->setObjectName(QStringLiteral("copyPath"));
  details_ = textButton(icon(QStringLiteral("info")), tr("Details"), tr("Show the diagnostic"));
  details_->setObjectName(QStringLiteral("showDetails"));
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(grid::kGap);
  row->addWidget(symbol_);
  row->addWidget(headline_);
  row->addSpacing(grid::kUnit);
  row->addWidget(line_, 1);
  row->addWidget(reveal_);
  row->addWidget(copy_);
  row->addWidget(details_);
  connect(reveal_, &QPushButton::clicked, this, &ResultPage::reveal);
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(path_); });
  connect(details_, &QPushButton::clicked, this, &ResultPage::detailsWanted);
  return head;
}

ResultPage::Fact ResultPage::makeFact(const QString& caption) {
  Fact fact{new QWidget, label(caption, FontRole::Small, "secondary"), label(QString(), FontRole::Title),
            label(QString(), FontRole::Small, "secondary")};
  auto* column = new QVBoxLayout(fact.box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  column->addWidget(fact.caption);
  column->addWidget(fact.value);
  column->addWidget(fact.note);
  return fact;
}

QWidget* ResultPage::makeFacts() {
  facts_ = new QWidget;
  auto* row = new QHBoxLayout(facts_);
  row->setContentsMargins(grid::kIcon + grid::kGap, 0, 0, 0);
  row->setSpacing(grid::kMargin);
  ran_ = makeFact(tr("On the runtime"));
  size_ = makeFact(tr("Size"));
  nodes_ = makeFact(tr("Delegated nodes"));
  work_ = makeFact(tr("Delegated multiply-adds"));
  time_ = makeFact(tr("Time"));
  for (const Fact& fact : {ran_, size_, nodes_, work_, time_}) row->addWidget(fact.box, 1);
  return facts_;
}

QWidget* ResultPage::makeTable() {
  auto* holder = new QWidget;
  table_ = new QTableView;
  table_->setObjectName(QStringLiteral("leftOutTable"));
  table_->setProperty("look", "framed");
  table_->setAccessibleName(tr("Operators left out of the delegate"));
  table_->setModel(leftOut_);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 10);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(LeftOutModel::ReasonColumn, QHeaderView::Stretch);
  header->setSectionResizeMode(LeftOutModel::FixColumn, QHeaderView::Stretch);
  allTaken_ = label(QString(), FontRole::Body, "secondary");
  allTaken_->setIndent(grid::kIcon + grid::kGap);
  auto* column = new QVBoxLayout(holder);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(allTaken_, 0, Qt::AlignTop);
  column->addWidget(table_, 1);
  return holder;
}

void ResultPage::setHead(const QString& iconName, Ink ink, const QString& headline, const QString& line) {
  icon_ = iconName;
  ink_ = ink;
  symbol_->setPixmap(iconPixmap(iconName, ink, this));
  headline_->setText(headline);
  line_->setFullText(line);
}

void ResultPage::showParts(bool facts, bool file, bool details) {
  facts_->setVisible(facts);
  table_->setVisible(facts && leftOut_->rowCount() > 0);
  allTaken_->setVisible(facts && leftOut_->rowCount() == 0);
  reveal_->setVisible(file);
  copy_->setVisible(file);
  details_->setVisible(details);
}

void ResultPage::showNothing() {
  setHead(QStringLiteral("waiting"), Ink::Disabled, tr("Nothing exported yet"), tr("The result is shown here."));
  showParts(false, false, false);
}

void ResultPage::showRunning() {
  setHead(QStringLiteral("running"), Ink::Accent, tr("Exporting…"),
          tr("The output appears whole, at the end, or not at all."));
  showParts(false, false, false);
}

void ResultPage::showCancelled() {
  setHead(QStringLiteral("stop"), Ink::Warning, tr("Cancelled"), tr("Nothing was written."));
  showParts(false, false, false);
}

void ResultPage::showFailed(const Diagnostic& problem) {
  setHead(QStringLiteral("error"), Ink::Error, tr("Not exported"), QString::fromStdString(problem.message));
  showParts(false, false, true);
}

void ResultPage::showDone(const ExportReport& report) {
  path_ = report.path;
  const bool ran = report.verification.has_value();
  const QString name = QFileInfo(report.path).fileName();
  setHead(QStringLiteral("done"), Ink::Success,
          ran ? tr("%1 is there, and it runs").arg(name) : tr("%1 is there").arg(name),
          shortPath(QFileInfo(report.path).absolutePath()));
  setFacts(report);
  showParts(true, true, false);
}

void ResultPage::setFacts(const ExportReport& report) {
  const auto set = [](const Fact& fact, const QString& value, const QString& note) {
    fact.value->setText(value);
    fact.note->setText(note);
    fact.value->setAccessibleName(QStringLiteral("%1: %2 %3").arg(fact.caption->text(), value, note));
  };
  if (!report.verification) {
    set(ran_, tr("not run"), tr("switched off"));
  } else {
    const Verification& check = *report.verification;
    const QString verdict = check.match.has_value() ? (*check.match ? tr("matches") : tr("differs")) : tr("runs");
    QString with = check.inputs == QLatin1String("random")   ? tr("random inputs")
                   : check.inputs == QLatin1String("sample") ? tr("the model's sample inputs")
                                                             : tr("inputs of the case");
    if (check.maxAbsError) with = tr("error ≤ %1").arg(QString::number(*check.maxAbsError, 'g', 2));
    set(ran_, verdict, with);
  }
  set(size_, byteSize(report.bytes), report.backend);
  set(nodes_, percent(report.delegated, report.nodes),
      tr("%1 of %2").arg(groupedNumber(report.delegated), groupedNumber(report.nodes)));
  set(work_, report.multiplyAdds > 0.0 ? percent(report.delegatedMultiplyAdds, report.multiplyAdds) : tr("none"),
      tr("of %1").arg(groupedNumber(static_cast<qint64>(report.multiplyAdds))));
  set(time_, duration(report.seconds),
      report.delegates == 1 ? tr("1 delegate") : tr("%1 delegates").arg(report.delegates));
  leftOut_->setItems(report.leftOut);
  allTaken_->setText(report.nodes > 0 && report.delegated == report.nodes
                         ? tr("Nothing was left out of the delegate.")
                         : tr("This backend makes no delegate: every operator runs as a kernel."));
}

QString ResultPage::headline() const {
  return headline_->text();
}

void ResultPage::reveal() const {
  QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path_).absolutePath()));
}

}  // namespace exportdeck::gui
