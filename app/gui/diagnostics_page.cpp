#include "gui/diagnostics_page.h"

#include <QHeaderView>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QTextBrowser>

#include "gui/diagnostics_model.h"
#include "gui/export_report.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

QString html(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString row(const QString& name, const QString& value) {
  return value.isEmpty() ? QString()
                         : QStringLiteral("<tr><td style='color:%1; padding-right:12px'>%2</td><td>%3</td></tr>")
                               .arg(colors().secondary.name(), name, value);
}

QString code(const QString& text) {
  return text.isEmpty() ? QString()
                        : QStringLiteral("<span style='font-family:%1'>%2</span>")
                              .arg(Theme::current().font(FontRole::Mono).family(), text);
}

}  // namespace

QString diagnosticHtml(const Diagnostic& d) {
  const auto tr = [](const char* text) { return DiagnosticsPage::tr(text); };
  QString out = QStringLiteral("<p><b>%1</b></p>").arg(sentence(html(d.message)));
  if (!d.why.empty()) out += QStringLiteral("<p>%1</p>").arg(sentence(html(d.why)));
  if (!d.fixes.empty()) {
    out += QStringLiteral("<p style='color:%1'>%2</p><ul style='margin-left:-24px'>")
               .arg(colors().secondary.name(), tr("What to do"));
    for (const std::string& fix : d.fixes) out += QStringLiteral("<li>%1</li>").arg(sentence(capitalised(html(fix))));
    out += QStringLiteral("</ul>");
  }
  QString place = html(d.where.sourceFile);
  if (d.where.sourceLine > 0) place += QStringLiteral(":%1").arg(d.where.sourceLine);
  const QString module = d.where.moduleType.empty() ? html(d.where.modulePath)
                                                    : html(d.where.modulePath + " (" + d.where.moduleType + ")");
  out += QStringLiteral("<table style='margin-top:10px'>") + row(tr("Operator"), code(html(d.where.op))) +
         row(tr("Source"), code(place)) + row(tr("Line"), code(html(d.where.sourceText))) +
         row(tr("Module"), code(module)) + row(tr("Node"), code(html(d.where.node))) +
         row(tr("Code"), code(QString::fromLatin1(codeInfo(d.code).id))) + QStringLiteral("</table>");
  return out;
}

DiagnosticsPage::DiagnosticsPage(QWidget* parent)
    : QWidget(parent),
      model_(new DiagnosticsModel(this)),
      pages_(new QStackedLayout(this)),
      table_(new QTableView),
      detail_(new QTextBrowser) {
  auto* nothing = label(tr("Nothing to report."), FontRole::Body, "secondary");
  nothing->setAlignment(Qt::AlignCenter);
  table_->setObjectName(QStringLiteral("diagnosticsTable"));
  table_->setProperty("look", "bare");
  table_->setAccessibleName(tr("Diagnostics"));
  table_->setModel(model_);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 12);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(DiagnosticsModel::MessageColumn, QHeaderView::Stretch);
  for (const int column :
       {DiagnosticsModel::SeverityColumn, DiagnosticsModel::WhereColumn, DiagnosticsModel::CountColumn})
    table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  detail_->setObjectName(QStringLiteral("diagnosticDetail"));
  detail_->setAccessibleName(tr("The chosen diagnostic"));
  detail_->setFrameShape(QFrame::NoFrame);
  detail_->setOpenLinks(false);
  detail_->document()->setDocumentMargin(grid::kMargin);
  auto* both = new QSplitter;
  both->setHandleWidth(1);
  both->setChildrenCollapsible(false);
  both->addWidget(table_);
  both->addWidget(detail_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  both->setSizes({600, 400});
  pages_->addWidget(nothing);
  pages_->addWidget(both);
  connect(model_, &QAbstractItemModel::rowsInserted, this, &DiagnosticsPage::rowsChanged);
  connect(model_, &QAbstractItemModel::modelReset, this, &DiagnosticsPage::rowsChanged);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) { show(index.row()); });
  connect(&Theme::current(), &Theme::changed, this, [this] { show(table_->currentIndex().row()); });
}

void DiagnosticsPage::rowsChanged() {
  pages_->setCurrentIndex(model_->rowCount() == 0 ? 0 : 1);
  if (model_->rowCount() > 0 && !table_->currentIndex().isValid()) select(0);
  emit countChanged(model_->rowCount());
}

void DiagnosticsPage::select(int at) {
  table_->setCurrentIndex(model_->index(at, DiagnosticsModel::MessageColumn));
}

void DiagnosticsPage::show(int at) {
  if (at < 0)
    detail_->clear();
  else
    detail_->setHtml(diagnosticHtml(model_->at(at)));
}

}  // namespace exportdeck::gui
