#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QTextLayout>

#include "gui/icons.h"
#include "gui/option_editors.h"
#include "gui/options_model.h"
#include "gui/options_view.h"
#include "gui/theme.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

using options::OptionSpec;
using options::OptionType;

constexpr int kPad = 8;

const OptionSpec& specOf(const QModelIndex& index) {
  return *index.data(OptionsModel::SpecRole).value<const OptionSpec*>();
}

QRect fieldRect(const QRect& cell) {
  const int height = qMin(cell.height() - 4, Theme::current().scaled(28));
  return {cell.x() + 4, cell.y() + (cell.height() - height) / 2, cell.width() - 8, height};
}

// At most two lines; the second is shortened.
void drawTwoLines(QPainter& painter, const QRect& rect, const QString& text) {
  const QFontMetrics metrics(painter.font());
  QTextLayout layout(text, painter.font());
  layout.beginLayout();
  QTextLine first = layout.createLine();
  if (!first.isValid()) return layout.endLayout();
  first.setLineWidth(rect.width());
  const QString head = text.left(first.textLength()).trimmed();
  const QString tail = text.mid(first.textLength()).trimmed();
  layout.endLayout();
  if (tail.isEmpty()) {
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(head, Qt::ElideRight, rect.width()));
    return;
  }
  const int top = rect.y() + (rect.height() - 2 * metrics.lineSpacing()) / 2;
  painter.drawText(QRect(rect.x(), top, rect.width(), metrics.lineSpacing()), Qt::AlignLeft | Qt::AlignVCenter, head);
  painter.drawText(QRect(rect.x(), top + metrics.lineSpacing(), rect.width(), metrics.lineSpacing()),
                   Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(tail, Qt::ElideRight, rect.width()));
}

}  // namespace

QRect OptionDelegate::resetRect(const QRect& cell) {
  return {cell.right() - 26, cell.center().y() - 11, 22, 22};
}

void OptionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRect cell = option.rect;
  const bool invalid = !index.data(OptionsModel::ReasonRole).toString().isEmpty();
  const bool selected = option.state & QStyle::State_Selected;
  const bool enabled = option.state & QStyle::State_Enabled;
  painter->fillRect(cell, selected ? colors().hover : colors().surface);
  painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), invalid ? colors().error : colors().line);
  if (index.column() == OptionsModel::OptionColumn && invalid)
    painter->fillRect(QRect(cell.x(), cell.y(), 3, cell.height()), colors().error);
  switch (index.column()) {
    case OptionsModel::OptionColumn:
      paintOption(*painter, cell, index);
      break;
    case OptionsModel::ValueColumn:
      paintValue(*painter, cell, index, enabled);
      break;
    case OptionsModel::DefaultColumn:
      paintDefault(*painter, cell, index);
      break;
    default:
      paintMeaning(*painter, cell, index);
      break;
  }
  if (option.state & QStyle::State_HasFocus && index.column() != OptionsModel::ValueColumn) {
    painter->setPen(colors().accent);
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(cell).adjusted(1.5, 1.5, -1.5, -2.5), 4, 4);
  }
  painter->restore();
}

QSize OptionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {80, qMax(44, 2 * option.fontMetrics.lineSpacing() + 12)};
}

void OptionDelegate::paintOption(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
  const bool changed = index.data(OptionsModel::ChangedRole).toBool();
  const QFont titleFont = Theme::current().font(changed ? FontRole::Strong : FontRole::Body);
  const QFont keyFont = Theme::current().font(FontRole::Mono);
  const QFontMetrics title(titleFont), key(keyFont);
  int width = cell.width() - 2 * kPad;
  const auto* view = qobject_cast<const QTableView*>(parent());
  const bool wrong = !index.data(OptionsModel::ReasonRole).toString().isEmpty();
  const bool told = wrong || !index.data(OptionsModel::NoteRole).toString().isEmpty();
  if (told && view && view->isColumnHidden(OptionsModel::MeaningColumn)) {
    width -= 22;
    paintIcon(painter, QRect(cell.right() - kPad - 15, cell.center().y() - 7, 15, 15),
              wrong ? QStringLiteral("error") : QStringLiteral("warning"), wrong ? Ink::Error : Ink::Warning);
  }
  const int top = cell.y() + (cell.height() - title.height() - key.height()) / 2;
  painter.setFont(titleFont);
  painter.setPen(colors().text);
  painter.drawText(QRect(cell.x() + kPad, top, width, title.height()), Qt::AlignLeft,
                   title.elidedText(index.data().toString(), Qt::ElideRight, width));
  painter.setFont(keyFont);
  painter.setPen(colors().secondary);
  painter.drawText(QRect(cell.x() + kPad, top + title.height(), width, key.height()), Qt::AlignLeft,
                   key.elidedText(QString::fromStdString(specOf(index).key), Qt::ElideRight, width));
}

void OptionDelegate::paintValue(QPainter& painter, const QRect& cell, const QModelIndex& index, bool enabled) const {
  const OptionSpec& spec = specOf(index);
  if (spec.type == OptionType::Bool) return paintSwitch(painter, cell, index, enabled);
  const bool invalid = !index.data(OptionsModel::ReasonRole).toString().isEmpty();
  const bool changed = index.data(OptionsModel::ChangedRole).toBool();
  const auto* view = qobject_cast<const QAbstractItemView*>(parent());
  const bool current = view && view->hasFocus() && view->currentIndex() == index;
  QRect field = fieldRect(cell);
  painter.setPen(invalid ? colors().error : current ? colors().accent : colors().line);
  painter.setBrush(invalid ? colors().errorSoft : colors().surface);
  painter.drawRoundedRect(QRectF(field).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  field.adjust(9, 0, -9, 0);
  if (spec.type == OptionType::Enum) {
    paintIcon(painter, QRect(field.right() - 11, field.center().y() - 6, 14, 14), QStringLiteral("chevron"),
              enabled ? Ink::Secondary : Ink::Disabled);
    field.setRight(field.right() - 18);
  }
  const QFont font = Theme::current().font(changed ? FontRole::Strong : FontRole::Body);
  const bool blank = index.data(Qt::EditRole).toString().isEmpty();
  painter.setFont(font);
  painter.setPen(!enabled ? colors().disabled : blank ? colors().secondary : colors().text);
  painter.drawText(field, Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, field.width()));
}

void OptionDelegate::paintSwitch(QPainter& painter, const QRect& cell, const QModelIndex& index, bool enabled) const {
  const bool on = index.data(Qt::EditRole).toBool();
  const bool changed = index.data(OptionsModel::ChangedRole).toBool();
  const QRectF track(cell.x() + 5, cell.center().y() - 8, 30, 16);
  painter.setPen(Qt::NoPen);
  painter.setBrush(!enabled ? colors().line : on ? colors().accent : colors().lineStrong);
  painter.drawRoundedRect(track, 8, 8);
  painter.setBrush(on ? colors().onAccent : colors().surface);
  painter.drawEllipse(QPointF(on ? track.right() - 8 : track.left() + 8, track.center().y()), 5.5, 5.5);
  const auto* view = qobject_cast<const QAbstractItemView*>(parent());
  if (view && view->hasFocus() && view->currentIndex() == index) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors().accent, 1.2));
    painter.drawRoundedRect(track.adjusted(-3, -3, 3, 3), 11, 11);
  }
  painter.setFont(Theme::current().font(changed ? FontRole::Strong : FontRole::Body));
  painter.setPen(enabled ? colors().text : colors().disabled);
  painter.drawText(QRect(cell.x() + 46, cell.y(), cell.width() - 50, cell.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   index.data().toString());
}

void OptionDelegate::paintDefault(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
  const bool changed = index.data(OptionsModel::ChangedRole).toBool();
  const QFontMetrics metrics(painter.font());
  const int width = cell.width() - 2 * kPad - (changed ? 24 : 0);
  painter.setPen(colors().secondary);
  painter.drawText(QRect(cell.x() + kPad, cell.y(), width, cell.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   metrics.elidedText(index.data(OptionsModel::DefaultTextRole).toString(), Qt::ElideRight, width));
  if (changed) paintIcon(painter, resetRect(cell).adjusted(4, 4, -4, -4), QStringLiteral("reset"), Ink::Accent);
}

void OptionDelegate::paintMeaning(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
  const QString reason = index.data(OptionsModel::ReasonRole).toString();
  const QString note = index.data(OptionsModel::NoteRole).toString();
  QRect text = cell.adjusted(kPad, 2, -kPad, -2);
  painter.setFont(Theme::current().font(FontRole::Small));
  if (reason.isEmpty() && note.isEmpty()) {
    painter.setPen(colors().secondary);
    return drawTwoLines(painter, text, index.data().toString());
  }
  const bool wrong = !reason.isEmpty();
  paintIcon(painter, QRect(text.x(), text.center().y() - 7, 15, 15),
            wrong ? QStringLiteral("error") : QStringLiteral("warning"), wrong ? Ink::Error : Ink::Warning);
  painter.setPen(wrong ? colors().error : colors().warning);
  drawTwoLines(painter, text.adjusted(22, 0, 0, 0), wrong ? reason : note);
}

QWidget* OptionDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
  const OptionSpec& spec = specOf(index);
  QWidget* editor = createOptionEditor(spec, parent);
  if (!editor) return nullptr;
  editor->setObjectName(QStringLiteral("optionEditor"));
  editor->setAccessibleName(QString::fromStdString(spec.title));
  editor->setAccessibleDescription(QString::fromStdString(spec.meaning));
  auto* self = const_cast<OptionDelegate*>(this);
  // Every key is judged at once: the row shows the reason while the words are being typed.
  if (auto* number = qobject_cast<NumberEdit*>(editor)) {
    connect(number, &NumberEdit::wordsChanged, self, [self, number] { emit self->commitData(number); });
  } else if (auto* line = qobject_cast<QLineEdit*>(editor)) {
    connect(line, &QLineEdit::textEdited, self, [self, line] { emit self->commitData(line); });
    // What is chosen from a list or a dialog may come when the editor has gone.
    const auto take = [place = QPersistentModelIndex(index)](const QString& words) {
      if (place.isValid()) const_cast<QAbstractItemModel*>(place.model())->setData(place, words, Qt::EditRole);
    };
    if (auto* path = qobject_cast<PathEdit*>(line)) path->setTaker(take);
    if (auto* list = qobject_cast<ListEdit*>(line)) connect(list, &ListEdit::chosen, self, take);
  } else if (auto* combo = qobject_cast<QComboBox*>(editor)) {
    connect(combo, &QComboBox::activated, self, [self, combo] {
      emit self->commitData(combo);
      emit self->closeEditor(combo);
    });
  }
  return editor;
}

void OptionDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  setLook(editor, "invalid", !index.data(OptionsModel::ReasonRole).toString().isEmpty());
  const QString words = index.data(Qt::EditRole).toString();
  // While they are being typed the words belong to the person typing: "1." must not turn into "1". Only a value that
  // was changed elsewhere (a reset) is taken over.
  const bool known = editor->property("committing").toBool() || editor->property("taken").toString() == words;
  if (!known || !editor->property("taken").isValid()) {
    const QSignalBlocker quiet(editor);
    setEditorWords(editor, words);
  }
  editor->setProperty("taken", words);
}

void OptionDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
  const QString words = editorWords(editor);
  if (words == index.data(Qt::EditRole).toString()) return;
  editor->setProperty("committing", true);
  model->setData(index, words, Qt::EditRole);
  editor->setProperty("committing", false);
}

void OptionDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex&) const {
  editor->setGeometry(fieldRect(option.rect));
}

bool OptionDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) {
  const bool isBool = index.column() == OptionsModel::ValueColumn && specOf(index).type == OptionType::Bool;
  if (event->type() != QEvent::MouseButtonRelease) return QStyledItemDelegate::editorEvent(event, model, option, index);
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if (mouse->button() != Qt::LeftButton || !option.rect.contains(mouse->pos())) return false;
  if (isBool) return model->setData(index, !index.data(Qt::EditRole).toBool(), Qt::EditRole);
  const bool onReset = index.column() == OptionsModel::DefaultColumn && resetRect(option.rect).contains(mouse->pos());
  if (onReset && index.data(OptionsModel::ChangedRole).toBool())
    return model->setData(index, {}, OptionsModel::ResetRole);
  return false;
}

}  // namespace exportdeck::gui
