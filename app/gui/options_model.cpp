#include "gui/options_model.h"

#include <QFont>

#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {

using options::OptionSpec;
using options::OptionType;
using options::OptionValue;

QString optionValueText(const OptionSpec& spec, const OptionValue& value) {
  if (const bool* on = std::get_if<bool>(&value)) return *on ? OptionsModel::tr("on") : OptionsModel::tr("off");
  const QString text = QString::fromStdString(options::formatValue(value));
  if (spec.type == OptionType::Enum) {
    for (size_t i = 0; i < spec.choices.size() && i < spec.labels.size(); ++i)
      if (spec.choices[i] == text.toStdString()) return QString::fromStdString(spec.labels[i]);
  }
  return text.isEmpty() ? OptionsModel::tr("empty") : text;
}

// "Expects a power of two from 16 to 4096, but 48 is none": the row says itself which option it is.
QString reasonInRow(const OptionSpec& spec, const Diagnostic& problem) {
  QString reason = QString::fromStdString(problem.message);
  const QString subject = QStringLiteral("Option \"%1\" ").arg(QString::fromStdString(spec.key));
  if (reason.startsWith(subject)) reason = capitalised(reason.mid(subject.size()));
  return reason;
}

void OptionsModel::setOptions(options::OptionSet set) {
  beginResetModel();
  options_ = std::move(set);
  wrong_.clear();
  endResetModel();
  emit edited();
}

bool OptionsModel::isChanged(const OptionSpec& spec) const {
  return options_.value(spec.key) != spec.fallback;
}

const OptionsModel::Wrong* OptionsModel::wrong(const OptionSpec& spec) const {
  const auto found = wrong_.find(spec.key);
  return found == wrong_.end() ? nullptr : &found->second;
}

int OptionsModel::changedCount() const {
  int count = 0;
  for (const OptionSpec& spec : options_.specs()) count += isChanged(spec) || wrong(spec) ? 1 : 0;
  return count;
}

int OptionsModel::firstInvalidRow() const {
  for (int row = 0; row < rowCount(); ++row)
    if (wrong(specAt(row))) return row;
  return -1;
}

int OptionsModel::rowOf(const QString& key) const {
  for (int row = 0; row < rowCount(); ++row)
    if (specAt(row).key == key.toStdString()) return row;
  return -1;
}

QStringList OptionsModel::settings() const {
  QStringList list;
  for (const OptionSpec& spec : options_.specs())
    if (isChanged(spec))
      list << QString::fromStdString(spec.key + "=" + options::formatValue(options_.value(spec.key)));
  return list;
}

void OptionsModel::resetAll() {
  restore({});
}

OptionsModel::State OptionsModel::state() const {
  State state{{}, wrong_};
  for (const OptionSpec& spec : options_.specs())
    if (isChanged(spec)) state.values.emplace(spec.key, options_.value(spec.key));
  return state;
}

void OptionsModel::restore(const State& state) {
  wrong_ = state.wrong;
  for (const OptionSpec& spec : options_.specs()) {
    const auto value = state.values.find(spec.key);
    if (value == state.values.end())
      options_.reset(spec.key);
    else
      options_.set(spec.key, value->second);
  }
  rowsChanged();
}

QString OptionsModel::take(const QString& setting) {
  const qsizetype equals = setting.indexOf(QLatin1Char('='));
  if (equals < 0) return tr("“%1” is not of the form KEY=VALUE").arg(setting);
  const std::string key = setting.left(equals).trimmed().toStdString();
  try {
    options_.setText(setting.toStdString());
  } catch (const ExportError& error) {
    const OptionSpec* spec = options_.find(key);
    const QString reason = spec ? reasonInRow(*spec, error.diagnostic()) : tr("There is no such option");
    return tr("%1: %2").arg(QString::fromStdString(key), reason);
  }
  wrong_.erase(key);
  if (!isChanged(*options_.find(key))) options_.reset(key);
  rowsChanged();
  return {};
}

QString OptionsModel::setting(int row) const {
  return QString::fromStdString(specAt(row).key) + QLatin1Char('=') + words(specAt(row));
}

int OptionsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(options_.specs().size());
}

int OptionsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString OptionsModel::words(const OptionSpec& spec) const {
  const Wrong* bad = wrong(spec);
  return bad ? bad->words : QString::fromStdString(options::formatValue(options_.value(spec.key)));
}

QVariant OptionsModel::valueData(const OptionSpec& spec, int role) const {
  if (role == Qt::DisplayRole) return wrong(spec) ? words(spec) : optionValueText(spec, options_.value(spec.key));
  if (spec.type == OptionType::Bool) return std::get<bool>(options_.value(spec.key));
  return words(spec);
}

QString OptionsModel::spoken(const OptionSpec& spec, int column) const {
  const QString title = QString::fromStdString(spec.title);
  const QString value = valueData(spec, Qt::DisplayRole).toString();
  switch (column) {
    case ValueColumn:
      if (const Wrong* bad = wrong(spec)) return tr("%1: %2, invalid: %3").arg(title, value, bad->reason);
      if (const std::string note = options_.noteOn(spec); !note.empty())
        return tr("%1: %2, changed. %3").arg(title, value, QString::fromStdString(note));
      return isChanged(spec) ? tr("%1: %2, changed").arg(title, value) : tr("%1: %2").arg(title, value);
    case DefaultColumn:
      return tr("Default of %1: %2").arg(title, optionValueText(spec, spec.fallback));
    case MeaningColumn:
      return QString::fromStdString(spec.meaning);
    default:
      return title;
  }
}

QVariant OptionsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const OptionSpec& option = specAt(index.row());
  const Wrong* bad = wrong(option);
  switch (role) {
    case SpecRole:
      return QVariant::fromValue(&option);
    case ChangedRole:
      return isChanged(option) || bad;
    case NoteRole:
      return QString::fromStdString(options_.noteOn(option));
    case ReasonRole:
      return bad ? bad->reason : QString();
    case DefaultTextRole:
      return optionValueText(option, option.fallback);
    case Qt::AccessibleTextRole:
      return spoken(option, index.column());
    case Qt::FontRole:
      if (index.column() <= ValueColumn && (bad || isChanged(option))) return Theme::current().font(FontRole::Strong);
      return {};
    case Qt::ToolTipRole: {
      QString tip = tr("<b>%1</b> (%2)<br>%3")
                        .arg(QString::fromStdString(option.title).toHtmlEscaped(),
                             QString::fromStdString(option.key).toHtmlEscaped(),
                             QString::fromStdString(option.meaning).toHtmlEscaped());
      if (const std::string note = options_.noteOn(option); !note.empty())
        tip.prepend(QStringLiteral("%1<br>").arg(QString::fromStdString(note).toHtmlEscaped()));
      if (bad) tip.prepend(QStringLiteral("%1<br>").arg(bad->reason.toHtmlEscaped()));
      return tip;
    }
    case Qt::DisplayRole:
    case Qt::EditRole:
      break;
    default:
      return {};
  }
  switch (index.column()) {
    case OptionColumn:
      return QString::fromStdString(option.title);
    case ValueColumn:
      return valueData(option, role);
    case DefaultColumn:
      return optionValueText(option, option.fallback);
    case MeaningColumn:
      return QString::fromStdString(option.meaning);
    default:
      return {};
  }
}

QVariant OptionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case OptionColumn:
      return tr("Option");
    case ValueColumn:
      return tr("Value");
    case DefaultColumn:
      return tr("Default");
    case MeaningColumn:
      return tr("Meaning");
    default:
      return {};
  }
}

Qt::ItemFlags OptionsModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
  return index.column() == ValueColumn ? plain | Qt::ItemIsEditable : plain;
}

void OptionsModel::assign(const OptionSpec& option, const QVariant& value) {
  if (option.type == OptionType::Bool && value.typeId() == QMetaType::Bool) {
    options_.set(option.key, value.toBool());
  } else {
    options_.set(option.key, options::parseValue(option, value.toString().toStdString()));
  }
  // A value that equals the default is not a change.
  if (!isChanged(option)) options_.reset(option.key);
}

bool OptionsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  const OptionSpec& option = specAt(index.row());
  if (role == ResetRole) {
    wrong_.erase(option.key);
    options_.reset(option.key);
    rowsChanged();
    return true;
  }
  if (role != Qt::EditRole || index.column() != ValueColumn) return false;
  try {
    assign(option, value);
    wrong_.erase(option.key);
  } catch (const ExportError& error) {
    wrong_[option.key] = {value.toString(), reasonInRow(option, error.diagnostic())};
  }
  rowsChanged();
  return true;
}

// What one option means may depend on others: all rows are looked at again.
void OptionsModel::rowsChanged() {
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  emit edited();
}

OptionsFilter::OptionsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  // A row must not vanish under the editor that changes it.
  setDynamicSortFilter(false);
}

void OptionsFilter::setText(const QString& text) {
  text_ = text.trimmed();
  invalidateFilter();
}

void OptionsFilter::setOnlyChanged(bool only) {
  onlyChanged_ = only;
  invalidateFilter();
}

bool OptionsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, OptionsModel::OptionColumn, parent);
  if (onlyChanged_ && !index.data(OptionsModel::ChangedRole).toBool()) return false;
  if (text_.isEmpty()) return true;
  const auto* spec = index.data(OptionsModel::SpecRole).value<const OptionSpec*>();
  const QString words = QString::fromStdString(spec->title + "\n" + spec->key + "\n" + spec->meaning);
  return words.contains(text_, Qt::CaseInsensitive);
}

}  // namespace exportdeck::gui
