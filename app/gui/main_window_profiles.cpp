// Profiles: choosing, saving and loading, and knowing whether what is set has been saved.
#include <QFileDialog>
#include <QFileInfo>
#include <QScopedValueRollback>

#include "gui/backend_model.h"
#include "gui/main_window.h"
#include "gui/message_bar.h"
#include "gui/options_panel.h"
#include "gui/profile_bar.h"
#include "gui/setup_pane.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

void MainWindow::listProfiles() {
  profiles_->setProfiles(store_.list());
}

void MainWindow::takeDefaults() {
  const QScopedValueRollback applying(applying_, true);
  setup_->applyDefaults();
  profiles_->setCurrent(QString());
  setup_->setProfileName(QString());
  storedProfile_ = false;
  savedProfile_ = options::writeProfile(setup_->profile(QString()));
}

void MainWindow::chooseProfile(const QString& name) {
  const options::Profile before = setup_->profile(profiles_->current());
  const QString previous = profiles_->current();
  const bool losing = profiles_->isModified();
  bool clean = true;
  try {
    if (name.isEmpty())
      takeDefaults();
    else
      clean = takeProfile(store_.read(name), name);
  } catch (const ExportError& error) {
    messages_->show({Tone::Error, QString::fromStdString(error.diagnostic().message), {}, {}});
    listProfiles();
    return;
  }
  if (clean && losing) offerUndo(before, previous);
}

void MainWindow::offerUndo(const options::Profile& before, const QString& name) {
  messages_->show(
      {Tone::Info, tr("Changes that were not saved have been dropped"), {}, {{tr("Undo"), [this, before, name] {
                                                                                {
                                                                                  const QScopedValueRollback applying(
                                                                                      applying_, true);
                                                                                  setup_->applyProfile(before);
                                                                                }
                                                                                profiles_->setCurrent(name);
                                                                                setup_->setProfileName(QString());
                                                                                profiles_->setModified(true);
                                                                              }}}});
}

void MainWindow::loadProfileDialog() {
  auto* dialog = new QFileDialog(this, tr("Load a profile"), store_.folder(), tr("Profiles (*.json);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::loadProfileFile);
  dialog->open();
}

void MainWindow::loadProfileFile(const QString& path) {
  try {
    // With its folders, so that it is taken as a file.
    takeProfile(store_.read(QFileInfo(path).absoluteFilePath()), QString());
  } catch (const ExportError& error) {
    messages_->show({Tone::Error, QString::fromStdString(error.diagnostic().message), {}, {}});
  }
}

// Returns whether the profile was taken as a whole.
bool MainWindow::takeProfile(const options::ProfileResult& result, const QString& stored) {
  QStringList problems;
  bool fatal = false;
  for (const options::ProfileProblem& problem : result.problems) {
    fatal = fatal || problem.fatal;
    const QString reason = sentence(QString::fromStdString(problem.reason));
    problems << (problem.key.empty() ? reason : tr("%1: %2").arg(QString::fromStdString(problem.key), reason));
  }
  const QString name = stored.isEmpty() ? QString::fromStdString(result.profile.name) : stored;
  if (fatal) {
    messages_->show({Tone::Error, tr("The profile cannot be used"), problems.join(QLatin1Char('\n')), {}});
    profiles_->showCurrent();
    return false;
  }
  {
    const QScopedValueRollback applying(applying_, true);
    setup_->applyProfile(result.profile);
  }
  const bool whole = problems.isEmpty();
  storedProfile_ = !stored.isEmpty();
  profiles_->setCurrent(name);
  // Only what is in the store as it is says the same on the command line.
  const bool saved = whole && storedProfile_;
  savedProfile_ = saved ? options::writeProfile(setup_->profile(name)) : std::string();
  setup_->setProfileName(saved ? name : QString());
  profiles_->setModified(!saved);
  if (!whole) {
    const QString what = problems.size() == 1
                             ? tr("One setting of the profile “%1” was left out").arg(name)
                             : tr("%1 settings of the profile “%2” were left out").arg(problems.size()).arg(name);
    messages_->show({Tone::Warning, what, problems.join(QLatin1Char('\n')), {}});
  } else if (!setup_->backends().isUsable()) {
    messages_->show({Tone::Warning,
                     tr("The profile's backend is not available here"),
                     setup_->backends().note(),
                     {{tr("Use xnnpack"), [this] { setup_->backends().setBackend(QStringLiteral("xnnpack")); }}}});
  } else {
    messages_->dismiss();
  }
  return whole && setup_->backends().isUsable();
}

void MainWindow::saveProfile(const QString& name) {
  if (setup_->options().invalidCount() > 0) {
    messages_->show(
        {Tone::Warning, tr("Not saved: %1").arg(setup_->blockReason()), setup_->options().firstReason(), {}});
    setup_->options().showFirstInvalid();
    return;
  }
  writeProfile(name, storedProfile_ && name == profiles_->current());
}

void MainWindow::writeProfile(const QString& name, bool replace) {
  const options::Profile profile = setup_->profile(name);
  try {
    const QString path = store_.save(profile, replace);
    savedProfile_ = options::writeProfile(profile);
    listProfiles();
    profiles_->setCurrent(name);
    storedProfile_ = true;
    setup_->setProfileName(name);
    messages_->show({Tone::Success, tr("Profile “%1” saved").arg(name), shortPath(path), {}});
  } catch (const ExportError& error) {
    const Diagnostic& problem = error.diagnostic();
    Message message{Tone::Error, QString::fromStdString(problem.message), {}, {}};
    if (problem.code == Code::OutputExists) {
      message.tone = Tone::Warning;
      message.actions.push_back({tr("Replace it"), [this, name] { writeProfile(name, true); }});
    }
    messages_->show(std::move(message));
  }
}

void MainWindow::profileEdited() {
  if (applying_) return;
  const QString name = profiles_->current();
  const bool same =
      setup_->options().invalidCount() == 0 && options::writeProfile(setup_->profile(name)) == savedProfile_;
  profiles_->setModified(!same);
  setup_->setProfileName(same ? name : QString());
}

}  // namespace exportdeck::gui
