#include <QApplication>
#include <QCommandLineParser>

#include "gui/main_window.h"
#include "gui/theme.h"

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("exportdeck"));
  QApplication::setApplicationDisplayName(QStringLiteral("ExportDeck"));
  QApplication::setApplicationVersion(QStringLiteral(EXPORTDECK_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("exportdeck"));
  QCommandLineParser parser;
  parser.setApplicationDescription(
      QApplication::translate("main", "Turns PyTorch programs (.pt2) into ExecuTorch programs (.pte)."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("models"), QApplication::translate("main", "The .pt2 files to open."),
                               QStringLiteral("[model.pt2...]"));
  parser.process(application);

  const exportdeck::gui::Theme theme(application);
  exportdeck::gui::MainWindow window;
  window.show();
  window.openAll(parser.positionalArguments());
  return QApplication::exec();
}
