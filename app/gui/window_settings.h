// What the window remembers from one time to the next: its place, its dividers, the recent models. No profile, no
// option.
#pragma once

#include <QSettings>

namespace exportdeck::gui {

inline QSettings windowSettings() {
  return QSettings(QStringLiteral("exportdeck"), QStringLiteral("window"));
}

}  // namespace exportdeck::gui
