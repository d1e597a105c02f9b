#include "services/program_path.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace exportdeck::services {

QString commandLineProgram() {
  if (const QString named = qEnvironmentVariable("EXPORTDECK_CLI"); !named.isEmpty()) return named;
  // Read from the system, because the command line starts its children without an application object.
  const QString self = QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget();
  const QString folder = self.isEmpty() ? QCoreApplication::applicationDirPath() : QFileInfo(self).path();
  return folder + QStringLiteral("/exportdeck");
}

}  // namespace exportdeck::services
