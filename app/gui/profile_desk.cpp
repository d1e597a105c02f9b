// Choosing and saving; what is done with files and whole profiles is in profile_desk_files.cpp.
#include "gui/profile_desk.h"

#include <QScopedValueRollback>

#include "gui/backend_model.h"
#include "gui/document.h"
#include "gui/message_bar.h"
#include "gui/options_panel.h"
#include "gui/settings.h"
#include "gui/setup_pane.h"
#include "gui/texts.h"

namespace exportdeck::gui {

ProfileDesk::ProfileDesk(services::ProfileStore store, ProfileBar& bar, MessageBar& messages, QObject* parent)
    : QObject(parent), store_(std::move(store)), bar_(bar), messages_(messages) {
  connectBar();
  list();
}

void ProfileDesk::connectBar() {
  connect(&bar_, &ProfileBar::chosen, this, &ProfileDesk::choose);
  connect(&bar_, &ProfileBar::saveWanted, this, &ProfileDesk::save);
  connect(&bar_, &ProfileBar::renameWanted, this, &ProfileDesk::rename);
  connect(&bar_, &ProfileBar::duplicateWanted, this, &ProfileDesk::duplicate);
  connect(&bar_, &ProfileBar::removeWanted, this, &ProfileDesk::remove);
  connect(&bar_, &ProfileBar::importWanted, this, &ProfileDesk::importDialog);
  connect(&bar_, &ProfileBar::exportWanted, this, &ProfileDesk::exportDialog);
  connect(&bar_, &ProfileBar::standardWanted, this, &ProfileDesk::setStandard);
  connect(&bar_, &ProfileBar::compareWanted, this, &ProfileDesk::compare);
}

void ProfileDesk::list() {
  bar_.setProfiles(store_.list(), settingText(Setting::StandardProfile));
}

bool ProfileDesk::isBuiltIn(const QString& name) const {
  for (const auto& item : store_.list())
    if (item.name == name) return item.builtIn();
  return false;
}

options::Profile ProfileDesk::current(const QString& name) const {
  return document_->setup().profile(name);
}

void ProfileDesk::show(Document* document, bool isNew) {
  document_ = document;
  afterSaving_ = {};
  if (isNew) {
    takeDefaults();
    if (const QString standard = settingText(Setting::StandardProfile); !standard.isEmpty()) {
      try {
        take(store_.load(standard), standard, true);
      } catch (const ExportError& error) {
        // It has gone or is damaged: the defaults do, and it is told why.
        tell(error);
      }
    }
    document->setup().forgetHistory();
  }
  bar_.setCurrent(document->profile.name);
  bar_.setModified(document->profile.modified);
}

void ProfileDesk::edited(Document* document) {
  if (applying_) return;
  SetupPane& setup = document->setup();
  Document::ProfileState& state = document->profile;
  const bool same =
      setup.options().invalidCount() == 0 && options::writeProfile(setup.profile(state.name)) == state.saved;
  state.modified = !same;
  setup.setProfileName(same && state.stored ? state.name : QString());
  if (document == document_) bar_.setModified(state.modified);
}

void ProfileDesk::leave(std::function<void()> go) {
  if (!document_->profile.modified) return go();
  bar_.showCurrent();
  const QString name = document_->profile.name;
  const bool own = document_->profile.stored && !isBuiltIn(name);
  messages_.show(
      {Tone::Question,
       name.isEmpty() ? tr("Your changes are in no profile") : tr("“%1” has changes that are not saved").arg(name),
       {},
       {{own ? tr("Save and go on") : tr("Save as…"),
         [this, go, own, name] {
           afterSaving_ = go;
           own ? save(name) : bar_.askName();
         }},
        {tr("Drop changes"), go},
        {tr("Stay"), {}}}});
}

void ProfileDesk::choose(const QString& name) {
  leave([this, name] {
    if (name.isEmpty()) {
      takeDefaults();
      messages_.dismiss();
      return;
    }
    try {
      QString path;
      for (const auto& item : store_.list())
        if (item.name == name) path = item.path;
      const options::ProfileResult result = store_.read(path.isEmpty() ? name : path);
      const QString fitting = QString::fromStdString(result.profile.name);
      judge(result, fitting.isEmpty() ? name : fitting, path, true);
    } catch (const ExportError& error) {
      tell(error);
      list();
    }
  });
}

void ProfileDesk::takeDefaults() {
  emit pageDone();
  {
    const QScopedValueRollback applying(applying_, true);
    document_->setup().applyDefaults();
  }
  document_->profile = {{}, options::writeProfile(current({})), false, false};
  document_->setup().setProfileName({});
  bar_.setCurrent({});
}

void ProfileDesk::take(const options::Profile& profile, const QString& name, bool stored) {
  emit pageDone();
  {
    const QScopedValueRollback applying(applying_, true);
    document_->setup().applyProfile(profile);
  }
  // Only what is in the store as it is says the same on the command line.
  document_->profile = {name, stored ? options::writeProfile(current(name)) : std::string(), stored, !stored};
  document_->setup().setProfileName(stored ? name : QString());
  bar_.setCurrent(name);
  bar_.setModified(!stored);
}

void ProfileDesk::judge(const options::ProfileResult& result, const QString& name, const QString& path, bool stored) {
  if (result.isFatal()) {
    const options::ProfileProblem& problem = result.problems.back();
    messages_.show({Tone::Error,
                    tr("The profile cannot be read"),
                    capitalised(QString::fromStdString(problem.key.empty() ? problem.reason
                                                                           : problem.key + ": " + problem.reason)),
                    {}});
    return bar_.showCurrent();
  }
  if (!result.problems.empty()) {
    bar_.showCurrent();
    return repair(result, name, path);
  }
  take(result.profile, name, stored);
  if (tellBackend()) return;
  if (stored) return messages_.dismiss();
  messages_.show({Tone::Info,
                  tr("“%1” is set, and not among your profiles yet").arg(name),
                  {},
                  {{tr("Keep it there"), [this, name] { write(name, false); }}}});
}

bool ProfileDesk::tellBackend() {
  BackendCombo& backends = document_->setup().backends();
  if (backends.isUsable()) return false;
  messages_.show({Tone::Warning,
                  tr("The profile's backend is not available here"),
                  backends.note(),
                  {{tr("Use xnnpack"), [&backends] { backends.setBackend(QStringLiteral("xnnpack")); }}}});
  return true;
}

bool ProfileDesk::tellsInvalid() {
  SetupPane& setup = document_->setup();
  if (setup.options().invalidCount() == 0) return false;
  messages_.show({Tone::Warning, tr("Not saved: %1").arg(setup.blockReason()), setup.options().firstReason(), {}});
  setup.options().showFirstInvalid();
  return true;
}

void ProfileDesk::save(const QString& wanted) {
  const Document::ProfileState& state = document_->profile;
  if (wanted.isEmpty() && (state.name.isEmpty() || isBuiltIn(state.name))) return bar_.askName();
  const QString name = wanted.isEmpty() ? state.name : wanted;
  if (tellsInvalid()) {
    afterSaving_ = {};
    return;
  }
  write(name, state.stored && name == state.name && !isBuiltIn(name));
}

void ProfileDesk::write(const QString& name, bool replace) {
  if (isBuiltIn(name)) {
    messages_.show(
        {Tone::Warning, tr("“%1” is built in and stays as it is").arg(name), tr("Choose another name."), {}});
    return;
  }
  try {
    const QString path = store_.save(current(name), replace);
    saved(name);
    messages_.show({Tone::Success, tr("Profile “%1” saved").arg(name), shortPath(path), {}});
    if (auto next = std::exchange(afterSaving_, {})) next();
  } catch (const ExportError& error) {
    tell(error, [this, name] { write(name, true); });
  }
}

// What is set is what the profile of this name holds.
void ProfileDesk::saved(const QString& name) {
  document_->profile = {name, options::writeProfile(current(name)), true, false};
  list();
  bar_.setCurrent(name);
  document_->setup().setProfileName(name);
}

void ProfileDesk::tell(const ExportError& error, std::function<void()> replace) {
  const Diagnostic& problem = error.diagnostic();
  Message message{Tone::Error, QString::fromStdString(problem.message), QString::fromStdString(problem.why), {}};
  if (problem.code == Code::OutputExists && replace) {
    message.tone = Tone::Warning;
    message.actions.push_back({tr("Replace it"), std::move(replace)});
  }
  messages_.show(std::move(message));
}

}  // namespace exportdeck::gui
