// The look of the window: colours for light and dark, fonts, spacing, and the style sheet made of them.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>

class QApplication;

namespace exportdeck::gui {

enum class Scheme { Light, Dark };

struct Colors {
  QColor window, surface, hover, line, lineStrong;
  QColor text, secondary, disabled;
  QColor accent, accentHover, onAccent, accentSoft;
  QColor error, errorSoft, warning, warningSoft, success, successSoft;
};

// One grid for the whole window, in device-independent pixels.
namespace grid {
inline constexpr int kUnit = 4;
inline constexpr int kGap = 8;
inline constexpr int kMargin = 16;
inline constexpr int kIcon = 16;
}  // namespace grid

enum class FontRole { Body, Small, Strong, Title, Mono };

// Follows the system's light or dark palette, the setting, or EXPORTDECK_THEME=light|dark, the last of them first.
// Exactly one exists while the application runs.
class Theme : public QObject {
  Q_OBJECT
 public:
  explicit Theme(QApplication& application);
  ~Theme() override;
  static const Theme& current();
  static void useSetting();  // after Setting::Theme or Setting::TextSize has changed

  Scheme scheme() const { return scheme_; }
  const Colors& colors() const { return colors_; }
  QFont font(FontRole role) const;
  // A length in pixels at a text size of 100 %, as it is at the present one.
  int scaled(int pixels) const { return pixels * textSize_ / 100; }
  // Properties of widgets whose font and widths follow the text size: see useFont() and holdWidth().
  static constexpr const char* kFontRole = "fontRole";
  static constexpr const char* kWidths = "heldWidths";
  void dress(QWidget& widget) const;
  void setScheme(Scheme scheme);

 signals:
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Scheme systemScheme() const;
  Scheme wanted();
  void apply();
  bool applyFont();
  QString styleSheet() const;

  QApplication& application_;
  Scheme scheme_ = Scheme::Light;
  Colors colors_;
  bool fixed_ = false;
  bool applying_ = false;
  QFont systemFont_;
  int textSize_ = 100;  // per cent of the system's
};

inline const Colors& colors() {
  return Theme::current().colors();
}

}  // namespace exportdeck::gui
