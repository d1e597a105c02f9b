#include "gui/detail_pane.h"

#include <QBoxLayout>
#include <QDir>
#include <QFile>
#include <QTextBrowser>

#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

constexpr int kAround = 2;                      // source lines shown before and after the one meant
constexpr qint64 kMostBytes = 4 * 1024 * 1024;  // a longer file is no source text

QString html(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

// The lines around `line` (from 1), or nothing where the file is not there or has become shorter.
QStringList sourceLines(const QString& path, int line, int* first) {
  QFile file(path);
  if (line <= 0 || file.size() > kMostBytes || !file.open(QIODevice::ReadOnly)) return {};
  QStringList lines;
  *first = qMax(1, line - kAround);
  for (int at = 1; at <= line + kAround && !file.atEnd(); ++at) {
    QString text = QString::fromUtf8(file.readLine());
    while (text.endsWith(QLatin1Char('\n')) || text.endsWith(QLatin1Char('\r'))) text.chop(1);
    if (at >= *first) lines << text;
  }
  return lines.size() > line - *first ? lines : QStringList();
}

// Each line stays one: it can be scrolled to its end.
QString preformatted(const QString& text) {
  return QStringLiteral("<pre style='font-family:%1; margin:0'>%2</pre>")
      .arg(Theme::current().font(FontRole::Mono).family(), text.toHtmlEscaped());
}

QString listing(const QStringList& lines, int first, int meant) {
  QString out = QStringLiteral("<table style='margin-top:4px' cellspacing='0'>");
  for (int i = 0; i < lines.size(); ++i) {
    const QString ground =
        first + i == meant ? QStringLiteral(" bgcolor='%1'").arg(colors().accentSoft.name()) : QString();
    out += QStringLiteral("<tr%1><td style='color:%2; padding:1px 10px 1px 6px'>%3</td>")
               .arg(ground, colors().secondary.name(), preformatted(QString::number(first + i))) +
           QStringLiteral("<td style='padding:1px 6px'>%1</td></tr>").arg(preformatted(lines[i]));
  }
  return out + QStringLiteral("</table>");
}

}  // namespace

QString detailRow(const QString& name, const QString& value) {
  return value.isEmpty() ? QString()
                         : QStringLiteral("<tr><td style='color:%1; padding-right:12px'>%2</td><td>%3</td></tr>")
                               .arg(colors().secondary.name(), name, value);
}

QString codeHtml(const QString& text) {
  return text.isEmpty() ? QString()
                        : QStringLiteral("<span style='font-family:%1'>%2</span>")
                              .arg(Theme::current().font(FontRole::Mono).family(), text);
}

QString placeHtml(const Origin& where, const QString& folder) {
  const auto tr = [](const char* text) { return DetailPane::tr(text); };
  const QString recorded = QString::fromStdString(where.sourceFile);
  int first = 0;
  const QStringList lines =
      recorded.isEmpty() ? QStringList() : sourceLines(QDir(folder).filePath(recorded), where.sourceLine, &first);
  QString place = recorded.toHtmlEscaped();
  if (where.sourceLine > 0) place += QStringLiteral(":%1").arg(where.sourceLine);
  const QString module =
      where.moduleType.empty() ? html(where.modulePath) : html(where.modulePath + " (" + where.moduleType + ")");
  QString out = QStringLiteral("<table style='margin-top:10px'>") +
                detailRow(tr("Operator"), codeHtml(html(where.op))) + detailRow(tr("Module"), codeHtml(module)) +
                detailRow(tr("Node"), codeHtml(html(where.node))) + detailRow(tr("Source"), codeHtml(place));
  if (lines.isEmpty()) out += detailRow(tr("Line"), codeHtml(html(where.sourceText)));
  out += QStringLiteral("</table>");
  if (!lines.isEmpty()) out += listing(lines, first, where.sourceLine);
  return out;
}

DetailPane::DetailPane(const QString& name, const char* objectName, QWidget* parent)
    : QWidget(parent), text_(new QTextBrowser), foot_(new QWidget) {
  text_->setObjectName(QLatin1String(objectName));
  text_->setAccessibleName(name);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setOpenLinks(false);
  text_->document()->setDocumentMargin(grid::kMargin);
  buttons_ = new QVBoxLayout(foot_);
  buttons_->setContentsMargins(grid::kMargin, 0, grid::kMargin, grid::kGap);
  buttons_->setSpacing(grid::kUnit);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(text_, 1);
  column->addWidget(foot_);
  foot_->hide();
}

void DetailPane::show(const QString& html, const QStringList& fixes) {
  text_->setHtml(html);
  for (QPushButton* button : made_) {
    button->hide();
    button->deleteLater();
  }
  made_.clear();
  for (const QString& fix : fixes)
    if (const auto change = OptionChange::fromFix(fix)) addFix(fix, *change);
  foot_->setVisible(!made_.empty());
}

void DetailPane::addFix(const QString& fix, const OptionChange& change) {
  const QString words = change.key == QLatin1String("backend") ? tr("Use the backend %1").arg(change.value)
                        : change.value.isEmpty()               ? tr("Clear %1").arg(change.key)
                                                               : tr("Set %1 to %2").arg(change.key, change.value);
  const QString shown = fontMetrics().elidedText(words, Qt::ElideMiddle, fontMetrics().averageCharWidth() * 34);
  QPushButton* button = textButton(icon(QStringLiteral("check"), Ink::Accent), shown, words);
  button->setObjectName(QStringLiteral("fixButton"));
  button->setToolTip(sentence(fix));
  connect(button, &QPushButton::clicked, this, [this, change] { emit changeWanted(change); });
  buttons_->addWidget(button, 0, Qt::AlignLeft);
  made_.push_back(button);
}

}  // namespace exportdeck::gui
