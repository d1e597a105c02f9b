#include "gui/settings.h"

#include <QDir>
#include <QStandardPaths>

namespace exportdeck::gui {
namespace {

QSettings settingsFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
  return QSettings(folder + QStringLiteral("/exportdeck/settings.ini"), QSettings::IniFormat);
}

// A file keeps words: the default says what they are to be read as.
QVariant checked(const SettingInfo& info, const QVariant& value) {
  switch (info.fallback.typeId()) {
    case QMetaType::Bool: {
      const QString word = value.toString();
      if (word == QLatin1String("true")) return true;
      return word == QLatin1String("false") ? QVariant(false) : info.fallback;
    }
    case QMetaType::Int: {
      bool is = false;
      const int number = value.toString().toInt(&is);
      return is && number >= info.least && number <= info.most ? QVariant(number) : info.fallback;
    }
    default:
      return info.choices.isEmpty() || info.choices.contains(value.toString()) ? QVariant(value.toString())
                                                                               : info.fallback;
  }
}

}  // namespace

const QList<SettingInfo>& settingsTable() {
  static const QList<SettingInfo> table{
      {Setting::Theme,
       "theme",
       QStringLiteral("system"),
       {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")},
       0,
       0,
       QT_TRANSLATE_NOOP("Settings", "Colours: as the system's, light or dark")},
      {Setting::RunAfterExport,
       "run_after_export",
       true,
       {},
       0,
       0,
       QT_TRANSLATE_NOOP("Settings", "Programs are run once after export, unless another check is chosen for a model")},
      {Setting::RecentModels,
       "recent_models",
       5,
       {},
       0,
       20,
       QT_TRANSLATE_NOOP("Settings", "How many recent models are offered")},
      {Setting::KeptExports,
       "kept_exports",
       12,
       {},
       1,
       100,
       QT_TRANSLATE_NOOP("Settings", "How many past exports of a model are kept for comparing")},
      {Setting::StandardProfile,
       "standard_profile",
       QString(),
       {},
       0,
       0,
       QT_TRANSLATE_NOOP("Settings", "The profile that models are opened with")},
      {Setting::TextSize,
       "text_size",
       100,
       {},
       90,
       150,
       QT_TRANSLATE_NOOP("Settings", "Size of the text, in per cent of the system's")},
  };
  return table;
}

const SettingInfo& settingInfo(Setting which) {
  return settingsTable()[static_cast<int>(which)];
}

QVariant setting(Setting which) {
  const SettingInfo& info = settingInfo(which);
  const QSettings file = settingsFile();
  return file.contains(QLatin1String(info.key)) ? checked(info, file.value(QLatin1String(info.key))) : info.fallback;
}

void setSetting(Setting which, const QVariant& value) {
  const SettingInfo& info = settingInfo(which);
  settingsFile().setValue(QLatin1String(info.key), checked(info, value.toString()));
}

void resetSetting(Setting which) {
  settingsFile().remove(QLatin1String(settingInfo(which).key));
}

QString stateFolder() {
  QString base = qEnvironmentVariable("XDG_STATE_HOME");
  if (QDir::isRelativePath(base)) base = QDir::homePath() + QStringLiteral("/.local/state");
  const QString folder = base + QStringLiteral("/exportdeck");
  QDir().mkpath(folder);
  return folder;
}

QSettings session() {
  return QSettings(stateFolder() + QStringLiteral("/session.ini"), QSettings::IniFormat);
}

}  // namespace exportdeck::gui
