#include "gui/option_editors.h"

#include <QComboBox>
#include <QLineEdit>
#include <algorithm>
#include <cmath>
#include <limits>

namespace exportdeck::gui {

using options::OptionSpec;
using options::OptionType;

namespace {

// Whole numbers are stepped as doubles, which are exact up to here.
double unlimited(OptionType type) {
  return type == OptionType::Int ? 0x1p53 : std::numeric_limits<double>::max();
}

}  // namespace

NumberEdit::NumberEdit(const OptionSpec& spec, QWidget* parent)
    : QAbstractSpinBox(parent),
      type_(spec.type),
      powerOfTwo_(spec.powerOfTwo),
      minimum_(spec.minimum.value_or(-unlimited(spec.type))),
      maximum_(spec.maximum.value_or(unlimited(spec.type))) {
  setButtonSymbols(QAbstractSpinBox::NoButtons);
  connect(lineEdit(), &QLineEdit::textChanged, this, &NumberEdit::wordsChanged);
}

void NumberEdit::setWords(const QString& words) {
  lineEdit()->setText(words);
}

double NumberEdit::stepped(double value, int steps) const {
  if (powerOfTwo_) return std::exp2(std::floor(std::log2(std::max(value, 1.0))) + steps);
  if (type_ == OptionType::Int) return value + steps;
  // A float steps by a tenth of its own magnitude.
  const double unit = value == 0.0 ? 0.1 : std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 1.0);
  return value + unit * steps;
}

void NumberEdit::stepBy(int steps) {
  bool isNumber = false;
  const double now = text().toDouble(&isNumber);
  if (!isNumber) return;
  const double next = std::clamp(stepped(now, steps), minimum_, maximum_);
  setWords(type_ == OptionType::Int ? QString::number(static_cast<qint64>(next)) : QString::number(next, 'g', 12));
  selectAll();
}

QValidator::State NumberEdit::validate(QString&, int&) const {
  return QValidator::Acceptable;
}

QAbstractSpinBox::StepEnabled NumberEdit::stepEnabled() const {
  return StepUpEnabled | StepDownEnabled;
}

QWidget* createOptionEditor(const OptionSpec& spec, QWidget* parent) {
  switch (spec.type) {
    case OptionType::Bool:
      return nullptr;
    case OptionType::Int:
    case OptionType::Float:
      return new NumberEdit(spec, parent);
    case OptionType::Enum: {
      auto* combo = new QComboBox(parent);
      for (size_t i = 0; i < spec.choices.size(); ++i) {
        const QString value = QString::fromStdString(spec.choices[i]);
        combo->addItem(i < spec.labels.size() ? QString::fromStdString(spec.labels[i]) : value, value);
      }
      return combo;
    }
    case OptionType::String:
    case OptionType::List: {
      auto* line = new QLineEdit(parent);
      QStringList choices;
      for (const std::string& choice : spec.choices) choices << QString::fromStdString(choice);
      const QString hint = choices.isEmpty() ? NumberEdit::tr("comma-separated") : choices.join(QLatin1Char(','));
      if (spec.type == OptionType::List) line->setPlaceholderText(hint);
      return line;
    }
  }
  return nullptr;
}

QString editorWords(const QWidget* editor) {
  if (const auto* number = qobject_cast<const NumberEdit*>(editor)) return number->text();
  if (const auto* combo = qobject_cast<const QComboBox*>(editor)) return combo->currentData().toString();
  if (const auto* line = qobject_cast<const QLineEdit*>(editor)) return line->text();
  return {};
}

void setEditorWords(QWidget* editor, const QString& words) {
  if (auto* number = qobject_cast<NumberEdit*>(editor)) number->setWords(words);
  if (auto* combo = qobject_cast<QComboBox*>(editor)) combo->setCurrentIndex(combo->findData(words));
  if (auto* line = qobject_cast<QLineEdit*>(editor)) line->setText(words);
}

}  // namespace exportdeck::gui
