#include "gui/icons.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include "gui/theme.h"

namespace exportdeck::gui {
namespace {

QByteArray svgText(const QString& name) {
  static QHash<QString, QByteArray> texts;
  const auto found = texts.constFind(name);
  if (found != texts.constEnd()) return *found;
  QFile file(QStringLiteral(":/gui/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) qFatal("no icon named %s", qPrintable(name));
  return *texts.insert(name, file.readAll());
}

class InkEngine : public QIconEngine {
 public:
  InkEngine(QString name, Ink ink) : name_(std::move(name)), ink_(ink) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    paintIcon(*painter, rect, name_, mode == QIcon::Disabled ? Ink::Disabled : ink_);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return picture;
  }
  QIconEngine* clone() const override { return new InkEngine(name_, ink_); }

 private:
  QString name_;
  Ink ink_;
};

}  // namespace

QColor inkColor(Ink ink) {
  const Colors& c = colors();
  switch (ink) {
    case Ink::Text:
      return c.text;
    case Ink::Secondary:
      return c.secondary;
    case Ink::Accent:
      return c.accent;
    case Ink::OnAccent:
      return c.onAccent;
    case Ink::Error:
      return c.error;
    case Ink::Warning:
      return c.warning;
    case Ink::Success:
      return c.success;
    case Ink::Disabled:
      return c.disabled;
  }
  return c.text;
}

void paintIcon(QPainter& painter, const QRect& rect, const QString& name, Ink ink) {
  QByteArray text = svgText(name);
  text.replace("currentColor", inkColor(ink).name().toLatin1());
  QSvgRenderer renderer(text);
  const int side = qMin(rect.width(), rect.height());
  // In a wider place it stands at the left: what is left over is the gap to a button's text.
  const QRectF square(rect.x(), rect.y() + (rect.height() - side) / 2.0, side, side);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  renderer.render(&painter, square);
  painter.restore();
}

QIcon icon(const QString& name, Ink ink) {
  return QIcon(new InkEngine(name, ink));
}

QIcon applicationIcon() {
  return QIcon(QStringLiteral(":/gui/icons/app.svg"));
}

}  // namespace exportdeck::gui
