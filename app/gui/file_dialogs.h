// The dialogs for choosing files: the platform's own where it has one, else Qt's in the colours of the theme. Each kind
// begins where the last of its kind ended, also the next time the program runs.
#pragma once

#include <QFileDialog>

namespace exportdeck::gui {

enum class FileKind { Model, Program, Profile, Case };

// Deletes itself once closed. `nearby`, a file or a folder, is where the first of its kind begins.
QFileDialog* fileDialog(QWidget* parent, const QString& title, const QString& filter, FileKind kind,
                        const QString& nearby);

}  // namespace exportdeck::gui
