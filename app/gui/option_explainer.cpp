#include "gui/option_explainer.h"

#include <QBoxLayout>
#include <QScrollArea>

#include "gui/options_model.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

namespace {

QLabel* wrapped(FontRole role, const char* look, const char* name) {
  QLabel* made = label(QString(), role, look);
  made->setObjectName(QString::fromLatin1(name));
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return made;
}

}  // namespace

OptionExplainer::OptionExplainer(QWidget* parent)
    : QFrame(parent),
      title_(wrapped(FontRole::Strong, nullptr, "explainTitle")),
      facts_(wrapped(FontRole::Small, "secondary", "explainFacts")),
      meaning_(wrapped(FontRole::Body, nullptr, "explainMeaning")),
      note_(wrapped(FontRole::Small, "error", "explainNote")),
      source_(wrapped(FontRole::Small, "secondary", "explainSource")) {
  setObjectName(QStringLiteral("optionExplainer"));
  setProperty("look", "note");
  // Where the table is low, what is said of a row is longer than the row's place.
  auto* scrolled = new QScrollArea;
  scrolled->setObjectName(QStringLiteral("explainScroll"));
  scrolled->setAccessibleName(tr("What the option means"));
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setWidgetResizable(true);
  scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scrolled->viewport()->setAutoFillBackground(false);
  auto* text = new QWidget;
  text->setAutoFillBackground(false);
  scrolled->setWidget(text);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(1, 1, 1, 1);
  whole->addWidget(scrolled);
  auto* column = new QVBoxLayout(text);
  column->setContentsMargins(grid::kGap + grid::kUnit, grid::kGap, grid::kGap + grid::kUnit, grid::kGap);
  column->setSpacing(grid::kUnit);
  for (QLabel* part : {title_, facts_, note_, meaning_, source_}) column->addWidget(part);
  column->addStretch();
  show({});
}

void OptionExplainer::show(const QModelIndex& row) {
  const bool some = row.isValid();
  for (QLabel* part : {title_, facts_, source_}) part->setVisible(some);
  if (!some) {
    note_->hide();
    meaning_->setText(tr("Select an option to read what it does."));
    meaning_->setAccessibleName(meaning_->text());
    return;
  }
  const auto& spec = *row.data(OptionsModel::SpecRole).value<const options::OptionSpec*>();
  title_->setText(QString::fromStdString(spec.title));
  facts_->setText(tr("%1: %2. Default: %3.")
                      .arg(QString::fromStdString(spec.key), QString::fromStdString(options::allowedValues(spec)),
                           row.data(OptionsModel::DefaultTextRole).toString()));
  meaning_->setText(QString::fromStdString(spec.meaning));
  const QString reason = row.data(OptionsModel::ReasonRole).toString();
  note_->setText(reason.isEmpty() ? row.data(OptionsModel::NoteRole).toString() : sentence(reason));
  note_->setVisible(!note_->text().isEmpty());
  setLook(note_, "look", reason.isEmpty() ? "warning" : "error");
  source_->setText(tr("Source: %1").arg(QString::fromStdString(spec.source)));
  source_->setVisible(!spec.source.empty());
  for (QLabel* part : {title_, facts_, note_, meaning_, source_}) part->setAccessibleName(part->text());
}

}  // namespace exportdeck::gui
