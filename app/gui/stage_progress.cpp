#include "gui/stage_progress.h"

#include <QtMath>

#include "gui/settings.h"

namespace exportdeck::gui {
namespace {

constexpr double kLeastSeconds = 0.001;  // so that a stage without a measured time weighs something
constexpr double kUsual = 0.02;          // seconds of a stage never measured
constexpr double kNewest = 0.4;          // weight of the newest measurement

QString group() {
  return QStringLiteral("stages");
}

}  // namespace

StageProgress::Times StageProgress::rememberedTimes() {
  QSettings file = session();
  file.beginGroup(group());
  Times times;
  for (const QString& stage : file.childKeys()) {
    const double seconds = file.value(stage).toDouble();
    if (seconds > 0.0 && qIsFinite(seconds)) times.insert(stage, seconds);
  }
  return times;
}

void StageProgress::remember(const Times& measured) {
  const Times before = rememberedTimes();
  QSettings file = session();
  file.beginGroup(group());
  for (auto it = measured.begin(); it != measured.end(); ++it) {
    const double old = before.value(it.key(), it.value());
    file.setValue(it.key(), qMax(kLeastSeconds, (1.0 - kNewest) * old + kNewest * it.value()));
  }
}

void StageProgress::begin(const QStringList& stages, Times expected) {
  expected_ = std::move(expected);
  stages_ = stages;
  finished_.clear();
  running_.clear();
  fraction_ = 0.0;
  value_ = 0.0;
}

void StageProgress::setPlan(const QStringList& stages) {
  stages_ = stages;
  update();
}

double StageProgress::weight(const QString& stage) const {
  return expected_.value(stage, kUsual);
}

void StageProgress::start(const QString& stage) {
  if (!stages_.contains(stage)) stages_ << stage;
  running_ = stage;
  fraction_ = 0.0;
  update();
}

void StageProgress::advance(double fraction) {
  fraction_ = qBound(fraction_, fraction, 1.0);
  update();
}

void StageProgress::wait(double seconds) {
  advance(0.95 * (1.0 - qExp(-seconds / weight(running_))));
}

void StageProgress::finish(const QString& stage) {
  if (!finished_.contains(stage)) finished_ << stage;
  if (running_ == stage) running_.clear();
  update();
}

void StageProgress::update() {
  double whole = 0.0, done = 0.0;
  bool all = !stages_.isEmpty();
  for (const QString& stage : stages_) {
    whole += weight(stage);
    if (finished_.contains(stage))
      done += weight(stage);
    else
      all = false;
    if (stage == running_ && !finished_.contains(stage)) done += weight(stage) * fraction_;
  }
  if (whole <= 0.0) return;
  value_ = all ? 1.0 : qMin(0.99, qMax(value_, done / whole));
}

}  // namespace exportdeck::gui
