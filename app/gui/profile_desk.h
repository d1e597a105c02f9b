// What is done with profiles: chosen, saved, renamed, removed, imported, compared, repaired; and whether what is set in
// the shown document has been saved.
#pragma once

#include <QObject>
#include <functional>

#include "gui/profile_bar.h"
#include "options/profile.h"
#include "services/profile_store.h"

namespace exportdeck::gui {

class Document;
class MessageBar;

class ProfileDesk : public QObject {
  Q_OBJECT
 public:
  ProfileDesk(services::ProfileStore store, ProfileBar& bar, MessageBar& messages, QObject* parent);

  // The document that the bar is about from now on. A new one is set up by the standard profile.
  void show(Document* document, bool isNew);
  void edited(Document* document);      // its backend or an option
  void save(const QString& name = {});  // "" : under the name that it has, or asks for one
  void openFile(const QString& path);   // a profile or the record of an export
  const services::ProfileStore& store() const { return store_; }

 signals:
  void pageWanted(QWidget* page);  // in place of the document, until pageDone()
  void pageDone();

 private:
  void connectBar();
  void list();
  void choose(const QString& name);
  void take(const options::Profile& profile, const QString& name, bool stored);
  void takeDefaults();
  void takeFile(const QString& path);
  // Valid profiles are taken; others open the repair page. `path` is the file, or "".
  void judge(const options::ProfileResult& result, const QString& name, const QString& path, bool stored);
  bool tellBackend();   // where it is not available here
  bool tellsInvalid();  // where a value is wrong
  void write(const QString& name, bool replace);
  void saved(const QString& name);
  void rename(const QString& name);
  void duplicate(const QString& name);
  void remove();
  void importDialog();
  void exportDialog();
  void exportTo(const QString& path);
  void compare();
  void repair(const options::ProfileResult& result, const QString& name, const QString& path);
  void setStandard(bool on);
  // Runs `go` at once, or after the question what becomes of changes that are not saved.
  void leave(std::function<void()> go);
  void tell(const ExportError& error, std::function<void()> replace = {});
  bool isBuiltIn(const QString& name) const;
  options::Profile current(const QString& name) const;

  services::ProfileStore store_;
  ProfileBar& bar_;
  MessageBar& messages_;
  Document* document_ = nullptr;
  std::function<void()> afterSaving_;
  bool applying_ = false;
};

}  // namespace exportdeck::gui
