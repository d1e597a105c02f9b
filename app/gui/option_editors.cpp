#include "gui/option_editors.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/list_popup.h"
#include "gui/widgets.h"

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

TextEdit::TextEdit(const OptionSpec& spec, QWidget* parent)
    : QLineEdit(parent), limit_(spec.type == OptionType::String ? static_cast<qint64>(spec.maximum.value_or(0)) : 0) {
  if (limit_ == 0) return;
  const QString longest = QStringLiteral("%1/%1").arg(limit_);
  setTextMargins(0, 0, QFontMetrics(Theme::current().font(FontRole::Small)).horizontalAdvance(longest) + 4, 0);
  connect(this, &QLineEdit::textChanged, this, [this] { setAccessibleDescription(countText()); });
}

QString TextEdit::countText() const {
  return limit_ == 0 ? QString() : QStringLiteral("%1/%2").arg(text().toUtf8().size()).arg(limit_);
}

void TextEdit::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  if (limit_ == 0) return;
  QPainter painter(this);
  painter.setFont(Theme::current().font(FontRole::Small));
  painter.setPen(text().toUtf8().size() > limit_ ? colors().error : colors().secondary);
  // Before the button at the end, where there is one.
  int right = width() - 8;
  for (const QToolButton* button : findChildren<QToolButton*>())
    if (button->isVisible()) right = qMin(right, button->x() - 2);
  painter.drawText(QRect(0, 0, right, height()), Qt::AlignVCenter | Qt::AlignRight, countText());
}

PathEdit::PathEdit(const OptionSpec& spec, QWidget* parent)
    : TextEdit(spec, parent),
      writes_(spec.file == options::FileRole::Write),
      title_(QString::fromStdString(spec.title)) {
  for (const std::string& name : spec.choices) names_ << QString::fromStdString(name);
  QAction* action = addAction(icon(QStringLiteral("folder")), TrailingPosition);
  action->setToolTip(names_.isEmpty() ? tr("Choose a file (Alt+Down)") : tr("Choose a name or a file (Alt+Down)"));
  action->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
  action->setShortcutContext(Qt::WidgetShortcut);
  connect(action, &QAction::triggered, this, &PathEdit::offer);
}

void PathEdit::offer() {
  if (names_.isEmpty()) return browse();
  auto* menu = new QMenu(window());
  menu->setObjectName(QStringLiteral("pathMenu"));
  connect(menu, &QMenu::aboutToHide, menu, &QObject::deleteLater);
  for (const QString& name : names_) menu->addAction(name, menu, [take = take_, name] { take(name); });
  menu->addSeparator();
  menu->addAction(tr("Choose a file…"), this, &PathEdit::browse);
  menu->popup(mapToGlobal(QPoint(0, height() + 2)));
}

void PathEdit::browse() {
  auto* dialog = new QFileDialog(window(), title_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(writes_ ? QFileDialog::AnyFile : QFileDialog::ExistingFile);
  if (text().contains(QLatin1Char('/'))) dialog->selectFile(text());
  connect(dialog, &QFileDialog::fileSelected, dialog, take_);
  dialog->open();
}

ListEdit::ListEdit(const OptionSpec& spec, QWidget* parent) : QLineEdit(parent), spec_(spec) {
  QStringList choices;
  for (const std::string& choice : spec.choices) choices << QString::fromStdString(choice);
  setPlaceholderText(choices.isEmpty() ? tr("comma-separated") : choices.join(QLatin1Char(',')));
  QAction* action = addAction(icon(QStringLiteral("list")), TrailingPosition);
  action->setToolTip(tr("Edit as lines (Alt+Down)"));
  action->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
  action->setShortcutContext(Qt::WidgetShortcut);
  connect(action, &QAction::triggered, this, &ListEdit::openLines);
}

void ListEdit::openLines() {
  connect(new ListPopup(spec_, text(), this), &ListPopup::changed, this, &ListEdit::chosen);
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
      if (spec.file != options::FileRole::None) return new PathEdit(spec, parent);
      return new TextEdit(spec, parent);
    case OptionType::List:
      return new ListEdit(spec, parent);
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
