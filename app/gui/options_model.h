// The options of a backend as rows: what each is called, its value, its default, its meaning.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <map>

#include "base/diagnostic.h"
#include "options/option_set.h"

Q_DECLARE_METATYPE(const exportdeck::options::OptionSpec*)

namespace exportdeck::gui {

// A value may be typed wrong: the row keeps the words and the reason, the set keeps the last good value.
class OptionsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { OptionColumn, ValueColumn, DefaultColumn, MeaningColumn, ColumnCount };
  enum Role {
    SpecRole = Qt::UserRole + 1,  // const options::OptionSpec*
    ChangedRole,                  // bool: differs from the default, or is invalid
    NoteRole,                     // QString: what to expect beside other options, "" mostly
    ReasonRole,                   // QString: why the value does not fit, "" where it does
    DefaultTextRole,              // QString
    ResetRole,                    // setData: back to the default
  };

  struct Wrong {
    QString words;
    QString reason;
    bool operator==(const Wrong&) const = default;
  };
  // All that can be edited; to go back to.
  struct State {
    std::map<std::string, options::OptionValue> values;  // that differ from the default
    std::map<std::string, Wrong, std::less<>> wrong;
    bool operator==(const State&) const = default;
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setOptions(options::OptionSet options);
  const options::OptionSet& options() const { return options_; }
  int changedCount() const;
  int invalidCount() const { return static_cast<int>(wrong_.size()); }
  int firstInvalidRow() const;          // -1: none
  int rowOf(const QString& key) const;  // -1: none
  QStringList settings() const;         // "key=value" of what differs from the default
  void resetAll();
  State state() const;
  // Of the same options. Rows that do not change stay as they are, with their editors.
  void restore(const State& state);
  // Takes "key=value"; returns why not, or "". Nothing becomes invalid by it.
  QString take(const QString& setting);
  QString setting(int row) const;  // "key=value", as it stands there

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  // EditRole of the value column: a bool for Bool, else the words.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void edited();  // a value changed, became invalid or was reset

 protected:
  const options::OptionSpec& specAt(int row) const { return options_.specs()[static_cast<size_t>(row)]; }

 private:
  bool isChanged(const options::OptionSpec& spec) const;
  const Wrong* wrong(const options::OptionSpec& spec) const;
  QString words(const options::OptionSpec& spec) const;  // what an editor shows
  QVariant valueData(const options::OptionSpec& spec, int role) const;
  QString spoken(const options::OptionSpec& spec, int column) const;
  void assign(const options::OptionSpec& spec, const QVariant& value);
  void rowsChanged();

  options::OptionSet options_;
  std::map<std::string, Wrong, std::less<>> wrong_;
};

// Why a value was refused, as its own row says it: without the option's name.
QString reasonInRow(const options::OptionSpec& spec, const Diagnostic& problem);

// What people read in place of the value: the label of a choice, "on" and "off".
QString optionValueText(const options::OptionSpec& spec, const options::OptionValue& value);

// Rows whose words contain the text; with onlyChanged, of those that differ from the default.
class OptionsFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit OptionsFilter(QObject* parent = nullptr);
  void setText(const QString& text);
  void setOnlyChanged(bool only);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString text_;
  bool onlyChanged_ = false;
};

}  // namespace exportdeck::gui
