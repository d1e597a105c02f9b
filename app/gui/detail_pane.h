// The whole of what is chosen in a table beside it: text, and below it the fixes that one press does.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "base/diagnostic.h"
#include "gui/option_change.h"

class QPushButton;
class QTextBrowser;
class QVBoxLayout;

namespace exportdeck::gui {

class DetailPane : public QWidget {
  Q_OBJECT
 public:
  DetailPane(const QString& name, const char* objectName, QWidget* parent = nullptr);
  // `fixes` that are changes of a setting get a button each.
  void show(const QString& html, const QStringList& fixes);
  // Relative source files are looked for from here.
  void setSourceFolder(const QString& folder) { folder_ = folder; }
  const QString& sourceFolder() const { return folder_; }

 signals:
  void changeWanted(const exportdeck::gui::OptionChange& change);

 private:
  void addFix(const QString& fix, const OptionChange& change);

  QString folder_;
  QTextBrowser* text_;
  QWidget* foot_;
  QVBoxLayout* buttons_;
  std::vector<QPushButton*> made_;
};

// Rows of a two-column table: what the place of an operator is, and its source lines, read from the file where it is
// there, else as the archive recorded the one.
QString placeHtml(const Origin& where, const QString& folder);
QString detailRow(const QString& name, const QString& value);  // "" for an empty value
QString codeHtml(const QString& escaped);

}  // namespace exportdeck::gui
