#include "gui/sizes_model.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace exportdeck::gui {

using options::OptionSpec;
using options::OptionType;

namespace {
constexpr qint64 kNone = 0;  // stands for a largest size that nobody has said; no size may be set to it
}

QList<SizesModel::Bound> SizesModel::parse(const QString& words) {
  QList<Bound> bounds;
  for (const QString& item : words.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    const qsizetype equals = item.indexOf(QLatin1Char('='));
    bounds.append({item.left(equals).trimmed(), equals < 0 ? QString() : item.mid(equals + 1).trimmed()});
  }
  return bounds;
}

const SizeSummary* SizesModel::sizeOf(const QString& symbol) const {
  const auto found =
      std::find_if(sizes_.begin(), sizes_.end(), [&](const SizeSummary& size) { return size.symbol == symbol; });
  return found == sizes_.end() ? nullptr : &*found;
}

OptionSpec SizesModel::rowFor(const SizeSummary& size) const {
  OptionSpec spec;
  spec.key = size.symbol.toStdString();
  spec.title = (size.inputs.isEmpty() ? size.symbol : size.inputs.first()).toStdString();
  spec.type = OptionType::Int;
  spec.minimum = static_cast<double>(std::max<qint64>(size.lower, 1));
  if (size.upper) spec.maximum = static_cast<double>(*size.upper);
  spec.fallback = static_cast<int64_t>(size.upper.value_or(kNone));
  const QString places = size.inputs.isEmpty() ? tr("A size that depends on data") : size.inputs.join(tr(", "));
  spec.meaning = tr("%1: %2 in the model.").arg(places, size.range()).toStdString();
  return spec;
}

void SizesModel::setSizes(const QList<SizeSummary>& sizes) {
  const QString words = bounds();
  sizes_ = sizes;
  known_ = true;
  strangers_.clear();
  std::vector<OptionSpec> rows;
  for (const SizeSummary& size : sizes_) rows.push_back(rowFor(size));
  setOptions(options::OptionSet(std::move(rows)));
  setBounds(words);
}

void SizesModel::setBounds(const QString& words) {
  const QList<Bound> wanted = parse(words);
  QStringList strangers;
  for (const Bound& bound : wanted)
    if (known_ && !sizeOf(bound.symbol) && !strangers.contains(bound.symbol)) strangers << bound.symbol;
  if (strangers != strangers_) {
    strangers_ = strangers;
    std::vector<OptionSpec> rows;
    for (const SizeSummary& size : sizes_) rows.push_back(rowFor(size));
    for (const QString& symbol : strangers_) rows.push_back(rowFor({symbol, 1, {}, {}}));
    setOptions(options::OptionSet(std::move(rows)));
  }
  State state = stateOf(wanted);
  complete(state);
  restore(state);
}

SizesModel::State SizesModel::stateOf(const QList<Bound>& bounds) const {
  State state;
  for (const Bound& bound : bounds) {
    const OptionSpec* spec = options().find(bound.symbol.toStdString());
    if (!spec) continue;
    try {
      const options::OptionValue value = options::parseValue(*spec, bound.number.toStdString());
      if (value != spec->fallback) state.values.emplace(spec->key, value);
    } catch (const ExportError& error) {
      state.wrong[spec->key] = {bound.number, reasonInRow(*spec, error.diagnostic())};
    }
  }
  return state;
}

void SizesModel::complete(State& state) const {
  for (const QString& symbol : strangers_) {
    const std::string key = symbol.toStdString();
    const auto value = state.values.find(key);
    const auto wrong = state.wrong.find(key);
    if (value == state.values.end() && wrong == state.wrong.end()) continue;
    const QString words =
        value == state.values.end() ? wrong->second.words : QString::fromStdString(options::formatValue(value->second));
    state.values.erase(key);
    state.wrong[key] = {words, tr("The model has no such size: reset the row to remove it.")};
  }
  for (const SizeSummary& size : sizes_) {
    const std::string key = size.symbol.toStdString();
    if (size.upper || state.values.count(key) > 0 || state.wrong.count(key) > 0) continue;
    state.wrong[key] = {QString(), tr("The model states no largest value: set one, for example 512.")};
  }
}

QString SizesModel::bounds() const {
  QStringList items;
  const State now = state();
  for (const OptionSpec& spec : options().specs()) {
    const QString symbol = QString::fromStdString(spec.key) + QLatin1Char('=');
    const auto wrong = now.wrong.find(spec.key);
    const auto value = now.values.find(spec.key);
    if (wrong != now.wrong.end()) {
      if (!wrong->second.words.isEmpty()) items << symbol + wrong->second.words;
    } else if (value != now.values.end()) {
      items << symbol + QString::fromStdString(options::formatValue(value->second));
    }
  }
  return items.join(QLatin1Char(','));
}

QVariant SizesModel::data(const QModelIndex& index, int role) const {
  const bool isDefault = role == DefaultTextRole || (role == Qt::DisplayRole && index.column() == DefaultColumn);
  if (isDefault && index.isValid() && std::get<int64_t>(specAt(index.row()).fallback) == kNone) return tr("none");
  return OptionsModel::data(index, role);
}

QVariant SizesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return OptionsModel::headerData(section, orientation, role);
  switch (section) {
    case OptionColumn:
      return tr("Size");
    case ValueColumn:
      return tr("Largest");
    case DefaultColumn:
      return tr("In the model");
    default:
      return tr("Where");
  }
}

bool SizesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!OptionsModel::setData(index, value, role)) return false;
  State now = state();
  complete(now);
  if (!(now == state())) restore(now);
  // A row that was removed goes when the view has done with it.
  const QString symbol = QString::fromStdString(specAt(index.row()).key);
  if (role == ResetRole && strangers_.contains(symbol))
    QMetaObject::invokeMethod(this, [this] { setBounds(bounds()); }, Qt::QueuedConnection);
  return true;
}

}  // namespace exportdeck::gui
