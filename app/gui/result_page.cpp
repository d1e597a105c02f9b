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

#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

ResultPage::ResultPage(QWidget* parent) : QWidget(parent), history_(new HistoryModel(this)), table_(new QTableView) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kMargin, grid::kMargin - grid::kUnit, grid::kMargin, grid::kGap);
  column->setSpacing(grid::kMargin - grid::kUnit);
  column->addWidget(makeHead());
  column->addWidget(makeFacts());
  makeTable();
  column->addWidget(table_, 1);
  column->addStretch(0);
  connect(&Theme::current(), &Theme::changed, this, [this] { symbol_->setPixmap(iconPixmap(icon_, ink_, this)); });
  showNothing();
}

QWidget* ResultPage::makeHead() {
  auto* head = new QWidget;
  symbol_ = new QLabel;
  symbol_->setFixedSize(grid::kIcon, grid::kIcon);
  headline_ = new ElidedLabel;
  useFont(headline_, FontRole::Strong);
  headline_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  headline_->setObjectName(QStringLiteral("resultHeadline"));
  line_ = new ElidedLabel;
  line_->setObjectName(QStringLiteral("resultLine"));
  line_->setProperty("look", "secondary");
  why_ = textButton(icon(QStringLiteral("question"), Ink::Warning), QString(), QString());
  why_->setObjectName(QStringLiteral("showWhy"));
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
  row->addWidget(why_);
  row->addWidget(reveal_);
  row->addWidget(copy_);
  row->addWidget(details_);
  connect(reveal_, &QPushButton::clicked, this, &ResultPage::reveal);
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(path_); });
  connect(why_, &QPushButton::clicked, this, &ResultPage::coverageWanted);
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
  memory_ = makeFact(tr("Memory for one run"));
  work_ = makeFact(tr("Delegated multiply-adds"));
  weights_ = makeFact(tr("Quantised weights"));
  time_ = makeFact(tr("Export time"));
  for (const Fact& fact : {ran_, size_, memory_, nodes_, work_, weights_, time_}) row->addWidget(fact.box, 1);
  return facts_;
}

void ResultPage::makeTable() {
  table_->setObjectName(QStringLiteral("historyTable"));
  table_->setAccessibleName(tr("Exports of this model"));
  table_->setModel(history_);
  prepareTable(table_, "framed");
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(HistoryModel::ChangedColumn, QHeaderView::Stretch);
}

void ResultPage::setHead(const QString& iconName, Ink ink, const QString& headline, const QString& line) {
  icon_ = iconName;
  ink_ = ink;
  symbol_->setPixmap(iconPixmap(iconName, ink, this));
  headline_->setFullText(headline);
  line_->setFullText(line);
}

void ResultPage::showParts(bool done, bool details) {
  for (QWidget* part : std::initializer_list<QWidget*>{facts_, table_, reveal_, copy_}) part->setVisible(done);
  if (!done) why_->hide();
  details_->setVisible(details);
}

void ResultPage::showNothing() {
  setHead(QStringLiteral("waiting"), Ink::Disabled, tr("Nothing exported yet"), tr("The result is shown here."));
  showParts(false, false);
}

void ResultPage::showRunning() {
  setHead(QStringLiteral("running"), Ink::Accent, tr("Exporting…"),
          tr("The output appears whole, at the end, or not at all."));
  showParts(false, false);
}

void ResultPage::showCancelled() {
  setHead(QStringLiteral("stop"), Ink::Warning, tr("Cancelled"), tr("Nothing was written."));
  showParts(false, false);
}

void ResultPage::showFailed(const Diagnostic& problem) {
  setHead(QStringLiteral("error"), Ink::Error, tr("Not exported"), QString::fromStdString(problem.message));
  showParts(false, true);
}

void ResultPage::showDone(const ExportReport& report, const QList<PastExport>& past) {
  history_->setExports(past);
  path_ = report.path;
  when_ = past.isEmpty() ? QString() : timeText(past.front().when);
  ranWell_ = report.verification.has_value();
  setFacts(report);
  showParts(true, false);
  setEarlier(false);
}

// Its head is no tick, and its numbers step back.
void ResultPage::setEarlier(bool earlier) {
  const QFileInfo file(path_);
  const QString words = earlier    ? tr("%1, as it was exported at %2").arg(file.fileName(), when_)
                        : ranWell_ ? tr("%1 is there, and it runs").arg(file.fileName())
                                   : tr("%1 is there").arg(file.fileName());
  setHead(earlier ? QStringLiteral("clock") : QStringLiteral("done"), earlier ? Ink::Secondary : Ink::Success, words,
          shortPath(file.absolutePath()));
  history_->setEarlier(earlier);
  for (const Fact& fact : {ran_, size_, memory_, nodes_, work_, weights_, time_})
    setLook(fact.value, "look", earlier ? "secondary" : "plain");
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
  set(size_, byteSize(report.bytes),
      report.dataPath.isEmpty()
          ? report.backend
          : tr("and %1 in %2").arg(byteSize(report.dataBytes), QFileInfo(report.dataPath).fileName()));
  weights_.box->setVisible(report.quantised.has_value());
  if (report.quantised) {
    const QuantisedWeights& weights = *report.quantised;
    set(weights_, tr("%1 of %2").arg(byteSize(weights.bytesAfter), byteSize(weights.bytesBefore)),
        weights.signalToNoise ? tr("outputs %1 dB from floats").arg(*weights.signalToNoise, 0, 'f', 1)
                              : tr("error not measured"));
  }
  const QString places = report.delegates == 1 ? tr("in 1 delegate") : tr("in %1 delegates").arg(report.delegates);
  set(nodes_, percent(report.delegated, report.nodes),
      tr("%1 of %2 %3").arg(groupedNumber(report.delegated), groupedNumber(report.nodes), places));
  set(work_, report.multiplyAdds > 0.0 ? percent(report.delegatedMultiplyAdds, report.multiplyAdds) : tr("none"),
      tr("of %1").arg(groupedNumber(static_cast<qint64>(report.multiplyAdds))));
  set(time_, duration(report.seconds), tr("without starting the program"));
  const ProgramPlan& plan = report.plan;
  const bool least = byteSize(plan.arena) == byteSize(plan.lowerBound);
  set(memory_, byteSize(plan.arena),
      !least ? tr("at least %1").arg(byteSize(plan.lowerBound)) : tr("the least possible"));
  int left = 0;
  for (const LeftOut& item : report.leftOut) left += item.count;
  why_->setVisible(left > 0);
  why_->setText(left == 1 ? tr("1 left out: why?") : tr("%1 left out: why?").arg(groupedNumber(left)));
  why_->setAccessibleName(tr("Show why operators were left out of the delegate"));
}

QString ResultPage::headline() const {
  return headline_->fullText();
}

void ResultPage::reveal() const {
  QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path_).absolutePath()));
}

}  // namespace exportdeck::gui
