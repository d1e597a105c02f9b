#include "gui/file_dialogs.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QSplitter>
#include <QTreeView>

#include "gui/settings.h"
#include "gui/theme.h"

namespace exportdeck::gui {
namespace {

QString keyOf(FileKind kind) {
  switch (kind) {
    case FileKind::Model:
      return QStringLiteral("folders/models");
    case FileKind::Program:
      return QStringLiteral("folders/programs");
    case FileKind::Profile:
      return QStringLiteral("folders/profiles");
    case FileKind::Case:
      return QStringLiteral("folders/cases");
  }
  return {};
}

QString folderOf(const QString& path) {
  if (path.isEmpty()) return {};
  const QFileInfo file(path);
  return file.isDir() ? file.absoluteFilePath() : file.absolutePath();
}

}  // namespace

QFileDialog* fileDialog(QWidget* parent, const QString& title, const QString& filter, FileKind kind,
                        const QString& nearby) {
  QString folder = session().value(keyOf(kind)).toString();
  for (const QString& next : {folderOf(nearby), QDir::homePath()})
    if (folder.isEmpty() || !QFileInfo(folder).isDir()) folder = next;
  auto* dialog = new QFileDialog(parent, title, folder, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->resize(Theme::current().scaled(820), Theme::current().scaled(520));
  // Of Qt's own: places and names have room.
  if (auto* parts = dialog->findChild<QSplitter*>())
    parts->setSizes({Theme::current().scaled(170), Theme::current().scaled(630)});
  if (auto* rows = dialog->findChild<QTreeView*>()) rows->header()->resizeSection(0, Theme::current().scaled(280));
  QObject::connect(dialog, &QFileDialog::filesSelected, dialog, [kind](const QStringList& files) {
    if (files.isEmpty()) return;
    const QFileInfo chosen(files.front());
    session().setValue(keyOf(kind), kind == FileKind::Case ? chosen.absoluteFilePath() : chosen.absolutePath());
  });
  return dialog;
}

}  // namespace exportdeck::gui
