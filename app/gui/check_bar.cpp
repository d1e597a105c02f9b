#include "gui/check_bar.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>

#include "gui/file_dialogs.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

QString wholePath(const QString& typed) {
  return typed.startsWith(QLatin1String("~/")) ? QDir::homePath() + typed.mid(1) : typed;
}

QString whyNoCase(const QString& path) {
  if (path.isEmpty()) return CheckBar::tr("Choose the folder of the case: it holds case.json and the tensors.");
  const QFileInfo folder(path);
  if (folder.isRelative()) return CheckBar::tr("Give the whole path of the case, from the root folder on.");
  if (!folder.isDir()) return CheckBar::tr("There is no folder %1.").arg(shortPath(path));
  if (!QFileInfo(path + QStringLiteral("/case.json")).isFile())
    return CheckBar::tr("The folder %1 holds no case.json.").arg(shortPath(path));
  return {};
}

}  // namespace

CheckBar::CheckBar(QWidget* parent)
    : QWidget(parent),
      check_(new ListCombo(tr("Ways to check the program"))),
      folder_(new QLineEdit),
      browse_(iconButton(QStringLiteral("folder"), tr("Choose the case's folder"))),
      keep_(new QCheckBox(tr("&Keep a rejected program"))),
      note_(new ElidedLabel) {
  check_->setObjectName(QStringLiteral("checkChoice"));
  check_->setAccessibleName(tr("How the program is checked"));
  const std::pair<QString, QString> choices[] = {
      {tr("Do not run it"), tr("The program is written and not loaded.")},
      {tr("Run it once"),
       tr("Loads the program with the ExecuTorch runtime and runs it on the model's sample inputs where they can be "
          "read, else on random ones.")},
      {tr("Compare with a case"),
       tr("Runs the program on the inputs of a case's folder and compares its outputs with those expected.")}};
  for (const auto& [text, help] : choices) {
    check_->addItem(text);
    check_->setItemData(check_->count() - 1, help, Qt::ToolTipRole);
  }
  check_->setCurrentIndex(Run);
  QLabel* caption = rowCaption(tr("Chec&k"), check_);
  folder_->setObjectName(QStringLiteral("caseFolder"));
  folder_->setAccessibleName(tr("Folder of the case"));
  folder_->setPlaceholderText(tr("Folder with case.json"));
  browse_->setObjectName(QStringLiteral("browseCase"));
  keep_->setObjectName(QStringLiteral("keepRejected"));
  keep_->setAccessibleName(tr("Keep a rejected program"));
  note_->setObjectName(QStringLiteral("checkNote"));
  note_->setProperty("look", "error");
  useFont(note_, FontRole::Small);
  auto* row = new QHBoxLayout;
  row->setSpacing(grid::kGap);
  row->addWidget(caption);
  row->addWidget(check_);
  row->addWidget(folder_, 1);
  row->addWidget(browse_);
  row->addStretch(0);
  row->addWidget(keep_);
  auto* under = new QHBoxLayout;
  under->setContentsMargins(caption->minimumWidth() + grid::kGap, 0, 0, 0);
  under->addWidget(note_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(grid::kUnit);
  column->addLayout(row);
  column->addLayout(under);
  connectParts();
  recheck();
}

void CheckBar::connectParts() {
  connect(check_, &QComboBox::currentIndexChanged, this, &CheckBar::recheck);
  connect(folder_, &QLineEdit::textChanged, this, &CheckBar::recheck);
  connect(browse_, &QToolButton::clicked, this, &CheckBar::browse);
  connect(keep_, &QCheckBox::toggled, this, &CheckBar::edited);
}

CheckBar::Check CheckBar::check() const {
  return static_cast<Check>(check_->currentIndex());
}

QString CheckBar::verification() const {
  if (check() == Case) return wholePath(folder_->text().trimmed());
  return check() == Run ? QStringLiteral("run") : QStringLiteral("none");
}

void CheckBar::setVerification(const QString& verification) {
  const bool none = verification == QLatin1String("none"), run = verification == QLatin1String("run");
  if (!none && !run) folder_->setText(verification);
  check_->setCurrentIndex(none ? Nothing : run ? Run : Case);
}

bool CheckBar::keepsRejected() const {
  return keep_->isChecked() && check() != Nothing;
}

void CheckBar::setEditable(bool editable) {
  for (QWidget* widget : std::initializer_list<QWidget*>{check_, folder_, browse_, keep_}) widget->setEnabled(editable);
  if (editable) recheck();
}

void CheckBar::recheck() {
  const bool isCase = check() == Case;
  reason_ = isCase ? whyNoCase(verification()) : QString();
  folder_->setVisible(isCase);
  browse_->setVisible(isCase);
  setLook(folder_, "invalid", !reason_.isEmpty());
  folder_->setAccessibleDescription(reason_);
  note_->setFullText(reason_);
  note_->setVisible(!reason_.isEmpty());
  keep_->setEnabled(check() != Nothing);
  keep_->setToolTip(check() == Nothing
                        ? tr("What is not checked is not rejected.")
                        : tr("A program that fails its check stays beside the output, as OUTPUT.rejected, to be looked "
                             "at. Without this it is removed."));
  check_->setToolTip(check_->currentData(Qt::ToolTipRole).toString());
  emit edited();
}

void CheckBar::showBlocker() {
  folder_->setFocus();
}

void CheckBar::browse() {
  QFileDialog* dialog = fileDialog(this, tr("Choose the folder of a case"), QString(), FileKind::Case, verification());
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, folder_, &QLineEdit::setText);
  dialog->open();
}

}  // namespace exportdeck::gui
