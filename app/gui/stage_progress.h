// How far an export is as a whole: its stages weigh what they took in exports before, and it never goes back.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace exportdeck::gui {

class StageProgress {
 public:
  // Seconds that each stage took, smoothed over exports; kept in the session.
  using Times = QHash<QString, double>;
  static Times rememberedTimes();
  static void remember(const Times& measured);

  void begin(const QStringList& stages, Times expected);
  void setPlan(const QStringList& stages);
  void start(const QString& stage);
  // Of the running stage, from 0 to 1.
  void advance(double fraction);
  // For a stage that does not say how far it is: after `seconds` in it, near its end where that is longer than usual.
  void wait(double seconds);
  void finish(const QString& stage);
  double value() const { return value_; }  // from 0 to 1; 1 only once all stages are finished

 private:
  double weight(const QString& stage) const;
  void update();

  Times expected_;
  QStringList stages_;
  QStringList finished_;
  QString running_;
  double fraction_ = 0.0;
  double value_ = 0.0;
};

}  // namespace exportdeck::gui
