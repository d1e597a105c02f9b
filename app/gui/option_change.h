// A fix that is a change of a setting, as the exporter words it: "Set per_op_mode=true", "Export with --backend
// portable".
#pragma once

#include <QString>
#include <optional>

namespace exportdeck::gui {

struct OptionChange {
  QString key;    // of an option, or "backend"
  QString value;  // as on the command line

  static std::optional<OptionChange> fromFix(const QString& fix);
};

}  // namespace exportdeck::gui
