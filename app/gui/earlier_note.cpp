#include "gui/earlier_note.h"

#include <QBoxLayout>
#include <QPushButton>

#include "gui/widgets.h"

namespace exportdeck::gui {

EarlierNote::EarlierNote(QWidget* parent)
    : QFrame(parent),
      symbol_(new QLabel),
      text_(new ElidedLabel(Qt::ElideRight)),
      see_(new QPushButton(tr("See diagnostics"))) {
  setObjectName(QStringLiteral("earlierNote"));
  setProperty("look", "message");
  symbol_->setFixedSize(grid::kIcon, grid::kIcon);
  text_->setObjectName(QStringLiteral("earlierText"));
  see_->setObjectName(QStringLiteral("seeDiagnostics"));
  see_->setAccessibleName(tr("See the diagnostics of the last export"));
  see_->setProperty("look", "link");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(grid::kMargin, grid::kUnit, grid::kGap, grid::kUnit);
  row->setSpacing(grid::kGap);
  row->addWidget(symbol_);
  row->addWidget(text_, 1);
  row->addWidget(see_);
  connect(see_, &QPushButton::clicked, this, &EarlierNote::diagnosticsWanted);
  connect(&Theme::current(), &Theme::changed, this,
          [this] { symbol_->setPixmap(iconPixmap(QStringLiteral("clock"), Ink::Secondary, this)); });
  hide();
}

void EarlierNote::tell(const QString& text, bool diagnostics) {
  symbol_->setPixmap(iconPixmap(QStringLiteral("clock"), Ink::Secondary, this));
  text_->setFullText(text);
  see_->setVisible(diagnostics);
  setLook(this, "tone", diagnostics ? "warning" : "info");
  setVisible(!text.isEmpty());
}

QString EarlierNote::text() const {
  return text_->fullText();
}

QWidget* withNote(EarlierNote* note, QWidget* page) {
  auto* both = new QWidget;
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(note);
  column->addWidget(page, 1);
  return both;
}

}  // namespace exportdeck::gui
