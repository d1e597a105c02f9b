// What the user has set about the window, in one typed table; and what the window remembers from one time to the next.
// Three places, so that each can be copied or thrown away alone: settings in $XDG_CONFIG_HOME/exportdeck/settings.ini,
// the session in $XDG_STATE_HOME/exportdeck, profiles in $XDG_CONFIG_HOME/exportdeck/profiles.
#pragma once

#include <QSettings>
#include <QStringList>
#include <QVariant>

namespace exportdeck::gui {

enum class Setting { Theme, RunAfterExport, RecentModels, KeptExports, StandardProfile, TextSize };

struct SettingInfo {
  Setting setting;
  const char* key;      // in the file
  QVariant fallback;    // its type is the setting's
  QStringList choices;  // of a word; empty: any
  int least, most;      // of a number
  const char* meaning;
};
const QList<SettingInfo>& settingsTable();
const SettingInfo& settingInfo(Setting setting);

// A value that is missing, of another type or out of range is the default.
QVariant setting(Setting setting);
void setSetting(Setting setting, const QVariant& value);
void resetSetting(Setting setting);
inline QString settingText(Setting which) {
  return setting(which).toString();
}
inline int settingNumber(Setting which) {
  return setting(which).toInt();
}
inline bool settingSwitch(Setting which) {
  return setting(which).toBool();
}

// The session: the window's place and dividers, recent models, the shares of an export's stages.
QString stateFolder();  // made where it is missing
QSettings session();

}  // namespace exportdeck::gui
