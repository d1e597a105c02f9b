#include "gui/option_change.h"

#include <QRegularExpression>

namespace exportdeck::gui {

std::optional<OptionChange> OptionChange::fromFix(const QString& fix) {
  static const QRegularExpression backend(QStringLiteral("--backend ([a-z0-9-]+)"));
  static const QRegularExpression kernels(QStringLiteral("--runtime-profile ([a-z]+)"));
  static const QRegularExpression setting(QStringLiteral("\\b([a-z][a-z0-9_]*)=([^\\s;]*)"));
  if (const auto found = backend.match(fix); found.hasMatch())
    return OptionChange{QStringLiteral("backend"), found.captured(1)};
  if (const auto found = kernels.match(fix); found.hasMatch())
    return OptionChange{QStringLiteral("runtime_profile"), found.captured(1)};
  const auto found = setting.match(fix);
  if (!found.hasMatch()) return {};
  QString value = found.captured(2);
  // A mark that ends the sentence or the clause is no part of it.
  while (value.endsWith(QLatin1Char('.')) || value.endsWith(QLatin1Char(','))) value.chop(1);
  return OptionChange{found.captured(1), value};
}

}  // namespace exportdeck::gui
