#include "gui/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFocusEvent>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QPalette>
#include <QProxyStyle>
#include <QToolTip>
#include <QWidget>

#include "gui/settings.h"
#include "gui/widgets.h"

static void initResources() {
  Q_INIT_RESOURCE(gui);
}

namespace exportdeck::gui {
namespace {

Theme* theTheme = nullptr;

Colors lightColors() {
  return {.window = "#f4f5f8",
          .surface = "#ffffff",
          .hover = "#eceef3",
          .line = "#e0e3ea",
          .lineStrong = "#858e9e",
          .text = "#1a212d",
          .secondary = "#586273",
          .disabled = "#9ba3b0",
          .accent = "#2a5fd0",
          .accentHover = "#2251b5",
          .onAccent = "#ffffff",
          .accentSoft = "#e6eefc",
          .error = "#b3261e",
          .errorSoft = "#fcebe9",
          .warning = "#855200",
          .warningSoft = "#fdf3dd",
          .success = "#1a7440",
          .successSoft = "#e5f4eb"};
}

Colors darkColors() {
  return {.window = "#15181e",
          .surface = "#1c2027",
          .hover = "#272c35",
          .line = "#2c323c",
          .lineStrong = "#646e7f",
          .text = "#e5e8ee",
          .secondary = "#9da7b6",
          .disabled = "#646d7b",
          .accent = "#7ba6ff",
          .accentHover = "#9bbcff",
          .onAccent = "#0c1a36",
          .accentSoft = "#222e47",
          .error = "#ff8d84",
          .errorSoft = "#3a2325",
          .warning = "#f0ba5c",
          .warningSoft = "#362d1d",
          .success = "#78d09b",
          .successSoft = "#1c3327"};
}

// Fusion, without the underlined letters: Alt and the letter work all the same.
class BaseStyle : public QProxyStyle {
 public:
  BaseStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    return hint == SH_UnderlineShortcut ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
  }
};

QPalette paletteOf(const Colors& c) {
  QPalette palette;
  const auto set = [&](QPalette::ColorRole role, const QColor& color, const QColor& disabled) {
    palette.setColor(QPalette::All, role, color);
    palette.setColor(QPalette::Disabled, role, disabled);
  };
  set(QPalette::Window, c.window, c.window);
  set(QPalette::Base, c.surface, c.window);
  set(QPalette::AlternateBase, c.hover, c.hover);
  set(QPalette::Button, c.surface, c.window);
  set(QPalette::WindowText, c.text, c.disabled);
  set(QPalette::Text, c.text, c.disabled);
  set(QPalette::ButtonText, c.text, c.disabled);
  set(QPalette::BrightText, c.error, c.error);
  set(QPalette::PlaceholderText, c.secondary, c.disabled);
  set(QPalette::Highlight, c.accent, c.lineStrong);
  set(QPalette::HighlightedText, c.onAccent, c.text);
  set(QPalette::ToolTipBase, c.surface, c.surface);
  set(QPalette::ToolTipText, c.text, c.text);
  set(QPalette::Link, c.accent, c.disabled);
  set(QPalette::LinkVisited, c.accent, c.disabled);
  set(QPalette::Light, c.surface, c.surface);
  set(QPalette::Midlight, c.line, c.line);
  set(QPalette::Mid, c.lineStrong, c.line);
  set(QPalette::Dark, c.lineStrong, c.line);
  set(QPalette::Shadow, c.lineStrong, c.line);
  return palette;
}

}  // namespace

Theme::Theme(QApplication& application) : application_(application), systemFont_(QApplication::font()) {
  initResources();
  theTheme = this;
  scheme_ = wanted();
  QApplication::setStyle(new BaseStyle);
  apply();
  application_.installEventFilter(this);
}

Theme::~Theme() {
  QApplication::setFont(systemFont_);
  theTheme = nullptr;
}

const Theme& Theme::current() {
  Q_ASSERT(theTheme);
  return *theTheme;
}

Scheme Theme::wanted() {
  QString wish = qEnvironmentVariable("EXPORTDECK_THEME").toLower();
  if (wish.isEmpty()) wish = settingText(Setting::Theme);
  fixed_ = wish == QLatin1String("light") || wish == QLatin1String("dark");
  if (fixed_) return wish == QLatin1String("dark") ? Scheme::Dark : Scheme::Light;
  applying_ = true;  // asking for the system's palette sends the event that tells of a change
  const Scheme system = systemScheme();
  applying_ = false;
  return system;
}

void Theme::useSetting() {
  theTheme->scheme_ = theTheme->wanted();
  theTheme->apply();
}

// The system's own palette: a default-constructed one takes ours away and lets it show through.
Scheme Theme::systemScheme() const {
  QApplication::setPalette(QPalette());
  return QApplication::palette().color(QPalette::Window).lightness() < 128 ? Scheme::Dark : Scheme::Light;
}

void Theme::setScheme(Scheme scheme) {
  if (scheme == scheme_) return;
  scheme_ = scheme;
  apply();
}

void Theme::apply() {
  applying_ = true;
  const bool sized = applyFont();
  colors_ = scheme_ == Scheme::Dark ? darkColors() : lightColors();
  QApplication::setPalette(paletteOf(colors_));
  QToolTip::setPalette(paletteOf(colors_));
  application_.setStyleSheet(styleSheet());
  // The style sheet gives widgets the fonts back that they had before.
  if (sized)
    for (QWidget* widget : QApplication::allWidgets()) dress(*widget);
  applying_ = false;
  emit changed();
}

// What has no font of its own follows by itself.
bool Theme::applyFont() {
  const int wish = settingNumber(Setting::TextSize);
  if (wish == textSize_) return false;
  textSize_ = wish;
  QFont font = systemFont_;
  if (font.pointSizeF() > 0)
    font.setPointSizeF(systemFont_.pointSizeF() * wish / 100.0);
  else
    font.setPixelSize(systemFont_.pixelSize() * wish / 100);
  QApplication::setFont(font);
  QToolTip::setFont(font);
  return true;
}

void Theme::dress(QWidget& widget) const {
  if (const QVariant role = widget.property(kFontRole); role.isValid())
    widget.setFont(font(static_cast<FontRole>(role.toInt())));
  const QVariant widths = widget.property(kWidths);
  if (!widths.isValid()) return;
  const QSize held = widths.toSize();
  widget.setMinimumWidth(scaled(held.width()));
  if (held.height() < QWIDGETSIZE_MAX) widget.setMaximumWidth(scaled(held.height()));
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ThemeChange && !fixed_ && !applying_) {
    applying_ = true;
    scheme_ = systemScheme();
    apply();
  }
  if (event->type() == QEvent::FocusIn && watched->isWidgetType()) {
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    const bool byKey =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    // Coming back from a menu or another window changes nothing.
    const bool returns = reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason;
    if (!returns) setLook(static_cast<QWidget*>(watched), "keyFocus", byKey);
  }
  return QObject::eventFilter(watched, event);
}

QFont Theme::font(FontRole role) const {
  QFont font = role == FontRole::Mono ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : QApplication::font();
  const qreal size = QApplication::font().pointSizeF();
  switch (role) {
    case FontRole::Body:
      break;
    case FontRole::Small:
    case FontRole::Mono:
      font.setPointSizeF(size * 0.92);
      break;
    case FontRole::Strong:
      font.setWeight(QFont::DemiBold);
      break;
    case FontRole::Title:
      font.setPointSizeF(size * 1.35);
      font.setWeight(QFont::DemiBold);
      break;
  }
  return font;
}

QString Theme::styleSheet() const {
  QFile file(QStringLiteral(":/gui/theme.qss"));
  if (!file.open(QIODevice::ReadOnly)) qFatal("the style sheet is missing from the program");
  QString sheet = QString::fromUtf8(file.readAll());
  const Colors& c = colors_;
  const std::pair<const char*, QColor> names[] = {{"@window", c.window},
                                                  {"@surface", c.surface},
                                                  {"@hover", c.hover},
                                                  {"@lineStrong", c.lineStrong},
                                                  {"@line", c.line},
                                                  {"@text", c.text},
                                                  {"@secondary", c.secondary},
                                                  {"@disabled", c.disabled},
                                                  {"@accentHover", c.accentHover},
                                                  {"@accentSoft", c.accentSoft},
                                                  {"@accent", c.accent},
                                                  {"@onAccent", c.onAccent},
                                                  {"@errorSoft", c.errorSoft},
                                                  {"@error", c.error},
                                                  {"@warningSoft", c.warningSoft},
                                                  {"@warning", c.warning},
                                                  {"@successSoft", c.successSoft},
                                                  {"@success", c.success}};
  for (const auto& [name, color] : names) sheet.replace(QLatin1String(name), color.name());
  // A least height in the sheet takes the place of what the text needs: it follows the text.
  const int text = QFontMetrics(QApplication::font()).height();
  sheet.replace(QLatin1String("@minButton"), QString::number(qMax(16, text)));
  sheet.replace(QLatin1String("@minField"), QString::number(qMax(18, text)));
  return sheet.replace(QLatin1String("@scheme"),
                       scheme_ == Scheme::Dark ? QLatin1String("dark") : QLatin1String("light"));
}

}  // namespace exportdeck::gui
