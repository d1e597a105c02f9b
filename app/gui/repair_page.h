// A profile that cannot be used as it is: what is kept of it, what is not and why, and what to do.
#pragma once

#include <QWidget>

#include "options/profile.h"

namespace exportdeck::gui {

class RepairPage : public QWidget {
  Q_OBJECT
 public:
  // `path`: the file that it was read from.
  RepairPage(const options::ProfileResult& result, const QString& name, const QString& path);

 signals:
  void useWanted();      // take the valid rest; the file stays as it is
  void replaceWanted();  // write the valid rest over the file
  void closeWanted();
};

}  // namespace exportdeck::gui
