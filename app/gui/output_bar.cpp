#include "gui/output_bar.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QStandardPaths>

#include "gui/file_dialogs.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

QString whyUnwritable(const QString& path) {
  if (path.isEmpty()) return OutputBar::tr("Choose where to write the program.");
  const QFileInfo file(path);
  if (file.isRelative()) return OutputBar::tr("Give the whole path, from the root folder on.");
  if (file.isDir()) return OutputBar::tr("This is a folder: add a file name.");
  const QFileInfo folder(file.absolutePath());
  if (!folder.exists()) return OutputBar::tr("The folder %1 does not exist.").arg(shortPath(folder.filePath()));
  if (!folder.isWritable()) return OutputBar::tr("The folder %1 is read-only.").arg(shortPath(folder.filePath()));
  return {};
}

// Beside the source; but people do not look for results in a read-only folder or in the program's own (the sample's).
QString folderFor(const QFileInfo& source) {
  const QString folder = source.absolutePath();
  const bool ours =
      folder.startsWith(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QLatin1Char('/'));
  if (!ours && QFileInfo(folder).isWritable()) return folder;
  const QFileInfo documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  return documents.isDir() && documents.isWritable() ? documents.filePath() : QDir::homePath();
}

}  // namespace

OutputBar::OutputBar(QWidget* parent) : QWidget(parent) {
  path_ = new QLineEdit;
  path_->setObjectName(QStringLiteral("outputPath"));
  path_->setAccessibleName(tr("Output file"));
  QLabel* caption = rowCaption(tr("&Output"), path_);
  browse_ = iconButton(QStringLiteral("folder"), tr("Choose the output file"));
  browse_->setObjectName(QStringLiteral("browseOutput"));
  replace_ = new QCheckBox(tr("Re&place existing"));
  replace_->setObjectName(QStringLiteral("replaceOutput"));
  replace_->setAccessibleName(tr("Replace the existing output file"));
  replace_->setToolTip(tr("A file of this name exists. It is replaced once the new program is whole, never before."));
  note_ = new ElidedLabel;
  note_->setProperty("look", "error");
  useFont(note_, FontRole::Small);
  note_->setObjectName(QStringLiteral("outputNote"));

  auto* row = new QHBoxLayout;
  row->setSpacing(grid::kGap);
  row->addWidget(caption);
  row->addWidget(path_, 1);
  row->addWidget(browse_);
  row->addSpacing(grid::kGap);
  row->addWidget(replace_);
  auto* under = new QHBoxLayout;
  under->setContentsMargins(caption->minimumWidth() + grid::kGap, 0, 0, 0);
  under->addWidget(note_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(grid::kUnit);
  column->addLayout(row);
  column->addLayout(under);

  connect(path_, &QLineEdit::textChanged, this, [this] {
    // The leave to replace one file is none to replace another.
    replace_->setChecked(false);
    recheck();
  });
  connect(browse_, &QToolButton::clicked, this, &OutputBar::browse);
  connect(replace_, &QCheckBox::toggled, this, &OutputBar::edited);
}

QString OutputBar::path() const {
  const QString typed = path_->text().trimmed();
  return typed.startsWith(QLatin1String("~/")) ? QDir::homePath() + typed.mid(1) : typed;
}

void OutputBar::setPath(const QString& path) {
  path_->setText(path);
}
void OutputBar::setEditable(bool editable) {
  for (QWidget* widget : std::initializer_list<QWidget*>{path_, browse_, replace_}) widget->setEnabled(editable);
}

bool OutputBar::replaces() const {
  return exists_ && replace_->isChecked();
}
void OutputBar::setReplaces(bool replace) {
  replace_->setChecked(replace);
}

void OutputBar::setSource(const QString& source) {
  source_ = source;
  proposed_ = path_->text();
  propose();
}

void OutputBar::setBackend(const QString& backend) {
  backend_ = backend;
  propose();
}

void OutputBar::propose() {
  if (source_.isEmpty() || backend_.isEmpty() || path_->text() != proposed_) return;
  const QFileInfo source(source_);
  proposed_ = QStringLiteral("%1/%2_%3.pte").arg(folderFor(source), source.completeBaseName(), backend_);
  path_->setText(proposed_);
}

void OutputBar::browse() {
  // The dialog does not ask about an existing file: the bar does, in place.
  QFileDialog* dialog =
      fileDialog(this, tr("Write the program to"), tr("ExecuTorch programs (*.pte)"), FileKind::Program, path());
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setOption(QFileDialog::DontConfirmOverwrite);
  dialog->setDefaultSuffix(QStringLiteral("pte"));
  dialog->selectFile(path());
  connect(dialog, &QFileDialog::fileSelected, this, &OutputBar::setPath);
  dialog->open();
}

void OutputBar::recheck() {
  const QString file = path();
  reason_ = whyUnwritable(file);
  exists_ = reason_.isEmpty() && QFileInfo::exists(file);
  setLook(path_, "invalid", !reason_.isEmpty());
  path_->setAccessibleDescription(reason_);
  note_->setFullText(reason_);
  note_->setVisible(!reason_.isEmpty());
  replace_->setVisible(exists_);
  emit edited();
}

}  // namespace exportdeck::gui
