// Whole profiles: renamed, copied, removed, handed on, taken in, compared and repaired.
#include <QFileInfo>

#include "gui/compare_page.h"
#include "gui/document.h"
#include "gui/file_dialogs.h"
#include "gui/message_bar.h"
#include "gui/profile_desk.h"
#include "gui/repair_page.h"
#include "gui/settings.h"
#include "gui/setup_pane.h"
#include "gui/texts.h"
#include "options/export_record.h"
#include "options/profile_name.h"

namespace exportdeck::gui {

namespace {

// For a profile without a name of its own.
QString nameOf(const QFileInfo& file) {
  const std::string near = options::nearestProfileName(file.completeBaseName().toStdString());
  return near.empty() ? ProfileDesk::tr("Imported") : QString::fromStdString(near);
}

}  // namespace

void ProfileDesk::rename(const QString& name) {
  const QString before = document_->profile.name;
  try {
    store_.rename(before, name);
  } catch (const ExportError& error) {
    return tell(error);
  }
  if (settingText(Setting::StandardProfile) == before) setSetting(Setting::StandardProfile, name);
  list();
  document_->profile.name = name;
  document_->profile.saved = options::writeProfile(store_.load(name));
  bar_.setCurrent(name);
  edited(document_);
  bar_.setModified(document_->profile.modified);
  messages_.show({Tone::Success, tr("Profile “%1” is called “%2” now").arg(before, name), {}, {}});
}

// The saved one: changes that are not saved stay with the first.
void ProfileDesk::duplicate(const QString& name) {
  const QString before = document_->profile.name;
  leave([this, before, name] {
    try {
      options::Profile copy = store_.load(before);
      copy.name = name.toStdString();
      store_.save(copy, false);
      list();
      take(copy, name, true);
    } catch (const ExportError& error) {
      tell(error);
    }
  });
}

void ProfileDesk::remove() {
  const QString name = document_->profile.name;
  try {
    const std::string text = store_.text(name);
    const QString path = store_.remove(name);
    const bool wasStandard = settingText(Setting::StandardProfile) == name;
    if (wasStandard) resetSetting(Setting::StandardProfile);
    list();
    // What is set stays: it is in no profile any more.
    document_->profile.stored = false;
    document_->profile.saved.clear();
    edited(document_);
    messages_.show(
        {Tone::Info, tr("Profile “%1” deleted").arg(name), {}, {{tr("Undo"), [this, text, path, name, wasStandard] {
                                                                   try {
                                                                     services::ProfileStore::writeText(text, path);
                                                                     if (wasStandard)
                                                                       setSetting(Setting::StandardProfile, name);
                                                                     list();
                                                                     choose(name);
                                                                   } catch (const ExportError& error) {
                                                                     tell(error);
                                                                   }
                                                                 }}}});
  } catch (const ExportError& error) {
    tell(error);
  }
}

void ProfileDesk::setStandard(bool on) {
  if (on && !document_->profile.name.isEmpty())
    setSetting(Setting::StandardProfile, document_->profile.name);
  else
    resetSetting(Setting::StandardProfile);
  list();
  bar_.setModified(document_->profile.modified);
}

void ProfileDesk::importDialog() {
  QFileDialog* dialog = fileDialog(&bar_, tr("Import a profile"), tr("Profiles and records (*.json);;All files (*)"),
                                   FileKind::Profile, store_.folder());
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &ProfileDesk::openFile);
  dialog->open();
}

void ProfileDesk::openFile(const QString& path) {
  leave([this, path] { takeFile(path); });
}

void ProfileDesk::takeFile(const QString& path) {
  const QFileInfo file(path);
  try {
    // With its folders, so that it is taken as a file.
    const std::string text = store_.text(file.absoluteFilePath());
    if (options::isExportRecord(text)) {
      options::ProfileResult record;
      record.profile = options::readExportRecord(text, options::Catalogue::builtIn()).profile;
      return judge(record, tr("As in %1").arg(file.fileName().section(QLatin1Char('.'), 0, 0)), path, false);
    }
    const options::ProfileResult result = options::readProfile(text, options::Catalogue::builtIn());
    const QString name = QString::fromStdString(result.profile.name);
    judge(result, name.isEmpty() ? nameOf(file) : name, file.absoluteFilePath(), false);
  } catch (const ExportError& error) {
    tell(error);
  }
}

void ProfileDesk::exportDialog() {
  const QString name = bar_.current().isEmpty() ? tr("profile") : bar_.current();
  QFileDialog* dialog =
      fileDialog(&bar_, tr("Export the profile"), tr("Profiles (*.json)"), FileKind::Profile, QString());
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("json"));
  dialog->selectFile(name + QStringLiteral(".json"));
  connect(dialog, &QFileDialog::fileSelected, this, &ProfileDesk::exportTo);
  dialog->open();
}

// What is set, with the name of its profile. The dialog has asked whether a file may be replaced.
void ProfileDesk::exportTo(const QString& path) {
  if (tellsInvalid()) return;
  try {
    const QString name = bar_.current().isEmpty() ? nameOf(QFileInfo(path)) : bar_.current();
    services::ProfileStore::saveTo(current(name), path);
    messages_.show({Tone::Success, tr("Profile “%1” written").arg(name), shortPath(path), {}});
  } catch (const ExportError& error) {
    tell(error);
  }
}

void ProfileDesk::compare() {
  QList<ComparePage::Side> sides{{tr("What is set now"), current(tr("What is set now"))}};
  options::Profile defaults = current(tr("Defaults"));
  for (options::OptionSet* set : {&defaults.exportOptions, &defaults.runtimeOptions})
    *set = options::OptionSet(set->specs());
  sides.push_back({tr("Defaults"), defaults});
  for (const auto& item : store_.list()) sides.push_back({item.name, store_.read(item.name).profile});
  // What is set now against what it was taken from; where nothing was changed, against the defaults.
  const Document::ProfileState& state = document_->profile;
  int left = 1;
  for (int i = 2; i < sides.size(); ++i)
    if (sides[i].name == state.name && state.modified) left = i;
  const auto [first, second] = ComparePage::usefulPair(sides, left, 0);
  auto* page = new ComparePage(std::move(sides), first, second);
  connect(page, &ComparePage::closeWanted, this, &ProfileDesk::pageDone);
  emit pageWanted(page);
}

void ProfileDesk::repair(const options::ProfileResult& result, const QString& name, const QString& path) {
  messages_.dismiss();
  auto* page = new RepairPage(result, name, path);
  connect(page, &RepairPage::closeWanted, this, &ProfileDesk::pageDone);
  connect(page, &RepairPage::useWanted, this, [this, result, name] {
    emit pageDone();
    take(result.profile, name, false);
    tellBackend();
  });
  connect(page, &RepairPage::replaceWanted, this, [this, result, name, path] {
    options::Profile repaired = result.profile;
    repaired.name = name.toStdString();
    try {
      services::ProfileStore::saveTo(repaired, path);
    } catch (const ExportError& error) {
      return tell(error);
    }
    emit pageDone();
    list();
    const auto items = store_.list();
    const bool stored = std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.path == path; });
    take(repaired, name, stored);
    messages_.show({Tone::Success, tr("Profile “%1” repaired").arg(name), shortPath(path), {}});
  });
  emit pageWanted(page);
}

}  // namespace exportdeck::gui
