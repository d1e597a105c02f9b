#include "gui/share_bar.h"

#include <QPainter>

#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {
namespace {

constexpr int kBar = 10;

}  // namespace

ShareBar::ShareBar(const QString& name, QWidget* parent) : QWidget(parent) {
  setAccessibleName(name);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&Theme::current(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ShareBar::setParts(const QList<Part>& parts) {
  parts_.clear();
  QStringList words;
  for (const Part& part : parts) {
    if (part.bytes <= 0) continue;
    parts_.append(part);
    words << QStringLiteral("%1: %2").arg(part.name, byteSize(part.bytes));
  }
  setAccessibleDescription(words.join(QLatin1String("; ")));
  updateGeometry();
  update();
}

int ShareBar::lineHeight() const {
  return QFontMetrics(Theme::current().font(FontRole::Small)).lineSpacing() + grid::kUnit;
}

QSize ShareBar::sizeHint() const {
  return {260, kBar + grid::kGap + lineHeight() * static_cast<int>(parts_.size())};
}

void ShareBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(Theme::current().font(FontRole::Small));
  double whole = 0.0;
  for (const Part& part : parts_) whole += static_cast<double>(part.bytes);
  double left = 0.0;
  int y = kBar + grid::kGap;
  for (const Part& part : parts_) {
    const double wide = qMax(3.0, width() * static_cast<double>(part.bytes) / whole);
    painter.fillRect(QRectF(left, 0, wide - 1, kBar), inkColor(part.ink));
    left += wide;
    const int square = lineHeight() / 2 - 1;
    painter.fillRect(QRect(0, y + lineHeight() / 4, square, square), inkColor(part.ink));
    painter.setPen(colors().text);
    const QRect line(square + grid::kGap, y, width() - square - grid::kGap, lineHeight());
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, part.name);
    painter.setPen(colors().secondary);
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignRight,
        QStringLiteral("%1   %2").arg(byteSize(part.bytes), percent(static_cast<double>(part.bytes), whole)));
    y += lineHeight();
  }
}

}  // namespace exportdeck::gui
