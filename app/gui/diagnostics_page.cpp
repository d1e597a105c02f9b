#include "gui/diagnostics_page.h"

#include <QHeaderView>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>

#include "gui/detail_pane.h"
#include "gui/diagnostics_model.h"
#include "gui/export_report.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

QString html(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

}  // namespace

QString diagnosticHtml(const Diagnostic& d, const QString& sourceFolder) {
  const auto tr = [](const char* text) { return DiagnosticsPage::tr(text); };
  QString out = QStringLiteral("<p><b>%1</b></p>").arg(sentence(html(d.message)));
  if (!d.why.empty()) out += QStringLiteral("<p>%1</p>").arg(sentence(html(d.why)));
  if (!d.fixes.empty()) {
    out += QStringLiteral("<p style='color:%1'>%2</p><ul style='margin-left:-24px'>")
               .arg(colors().secondary.name(), tr("What to do"));
    for (const std::string& fix : d.fixes) out += QStringLiteral("<li>%1</li>").arg(sentence(capitalised(html(fix))));
    out += QStringLiteral("</ul>");
  }
  out += placeHtml(d.where, sourceFolder);
  out += QStringLiteral("<table>") + detailRow(tr("Code"), codeHtml(QString::fromLatin1(codeInfo(d.code).id))) +
         QStringLiteral("</table>");
  return out;
}

DiagnosticsPage::DiagnosticsPage(QWidget* parent)
    : QWidget(parent),
      model_(new DiagnosticsModel(this)),
      pages_(new QStackedLayout(this)),
      table_(new QTableView),
      detail_(new DetailPane(tr("The chosen diagnostic"), "diagnosticDetail")) {
  auto* nothing = label(tr("Nothing to report."), FontRole::Body, "secondary");
  nothing->setAlignment(Qt::AlignCenter);
  table_->setObjectName(QStringLiteral("diagnosticsTable"));
  table_->setAccessibleName(tr("Diagnostics"));
  table_->setModel(model_);
  prepareTable(table_);
  table_->horizontalHeader()->setSectionResizeMode(DiagnosticsModel::MessageColumn, QHeaderView::Stretch);
  for (const int column :
       {DiagnosticsModel::SeverityColumn, DiagnosticsModel::WhereColumn, DiagnosticsModel::CountColumn})
    table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
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
  connect(detail_, &DetailPane::changeWanted, this, &DiagnosticsPage::changeWanted);
  connect(&Theme::current(), &Theme::changed, this, [this] { show(table_->currentIndex().row()); });
}

void DiagnosticsPage::setSourceFolder(const QString& folder) {
  detail_->setSourceFolder(folder);
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
  if (at < 0) return detail_->show(QString(), {});
  const Diagnostic& shown = model_->at(at);
  QStringList fixes;
  for (const std::string& fix : shown.fixes) fixes << QString::fromStdString(fix);
  detail_->show(diagnosticHtml(shown, detail_->sourceFolder()), fixes);
}

}  // namespace exportdeck::gui
