#include "gui/stage_bar.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QtMath>
#include <algorithm>

#include "gui/icons.h"
#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {
namespace {

constexpr int kTotalWidth = 112;
constexpr int kTrack = 3;
const QStringList kUsualPlan{QStringLiteral("read"),  QStringLiteral("lower"),  QStringLiteral("partition"),
                             QStringLiteral("write"), QStringLiteral("verify"), QStringLiteral("publish")};

struct Look {
  QString icon;
  Ink ink;
};

Look lookOf(StageBar::State state) {
  switch (state) {
    case StageBar::State::Waiting:
      return {QStringLiteral("waiting"), Ink::Disabled};
    case StageBar::State::Running:
      return {QStringLiteral("running"), Ink::Accent};
    case StageBar::State::Done:
      return {QStringLiteral("done"), Ink::Success};
    case StageBar::State::Failed:
      return {QStringLiteral("error"), Ink::Error};
    case StageBar::State::Stopped:
      return {QStringLiteral("stop"), Ink::Warning};
  }
  return {QStringLiteral("waiting"), Ink::Disabled};
}

QRect stageRect(const QWidget& bar, size_t index, size_t count) {
  const int left = grid::kMargin, width = bar.width() - 2 * grid::kMargin - kTotalWidth;
  const int from = left + width * int(index) / int(count), to = left + width * int(index + 1) / int(count);
  return {from, 0, to - from - grid::kGap, bar.height()};
}

}  // namespace

QString stageTitle(const QString& name) {
  if (name == QLatin1String("read")) return StageBar::tr("Read");
  if (name == QLatin1String("lower")) return StageBar::tr("Lower");
  if (name == QLatin1String("partition")) return StageBar::tr("Partition");
  if (name == QLatin1String("write")) return StageBar::tr("Write");
  if (name == QLatin1String("verify")) return StageBar::tr("Verify");
  if (name == QLatin1String("compare")) return StageBar::tr("Compare");
  if (name == QLatin1String("publish")) return StageBar::tr("Publish");
  return name;
}

QString stageMeaning(const QString& name) {
  if (name == QLatin1String("read")) return StageBar::tr("Reads the exported program and its weights.");
  if (name == QLatin1String("lower")) return StageBar::tr("Rewrites the operators into those that the runtime has.");
  if (name == QLatin1String("partition")) return StageBar::tr("Gives to the backend what it can run.");
  if (name == QLatin1String("write"))
    return StageBar::tr("Plans the memory and writes the program to a temporary file.");
  if (name == QLatin1String("verify"))
    return StageBar::tr("Loads the program with the ExecuTorch runtime and runs it.");
  if (name == QLatin1String("compare"))
    return StageBar::tr("Makes the program without quantisation too, and compares what both compute.");
  if (name == QLatin1String("publish")) return StageBar::tr("Gives the file its name: whole, or not at all.");
  return {};
}

StageBar::StageBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("stageBar"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  tick_.setInterval(50);
  connect(&tick_, &QTimer::timeout, this, &StageBar::tick);
  connect(&Theme::current(), &Theme::changed, this, qOverload<>(&QWidget::update));
  setPlan(kUsualPlan);
}

void StageBar::begin() {
  setPlan(stages_.empty() ? kUsualPlan : QStringList());
  QStringList names;
  for (const Stage& stage : stages_) names << stage.name;
  progress_.begin(names, StageProgress::rememberedTimes());
  clock_.start();
  running_ = true;
  tick_.start();
}

void StageBar::setPlan(const QStringList& plan) {
  if (!running_) total_ = 0.0;  // of an export that is shown no longer
  if (plan.isEmpty()) {
    for (Stage& stage : stages_) stage = Stage{stage.name};
  } else {
    stages_.clear();
    for (const QString& name : plan) stages_.push_back({name});
    if (running_) progress_.setPlan(plan);
  }
  describe();
}

StageBar::Stage& StageBar::at(const QString& name) {
  const auto found =
      std::find_if(stages_.begin(), stages_.end(), [&](const Stage& stage) { return stage.name == name; });
  if (found != stages_.end()) return *found;
  stages_.push_back({name});
  return stages_.back();
}

void StageBar::start(const QString& name) {
  at(name).state = State::Running;
  stageClock_.start();
  progress_.start(name);
  describe();
}

void StageBar::advance(const QString& name, quint64 done, quint64 total) {
  Stage& stage = at(name);
  // A later message with less in it does not take back what was shown.
  const bool further = total != stage.total || done >= stage.done;
  if (further) stage.done = done;
  stage.total = total;
  if (total > 0) progress_.advance(static_cast<double>(stage.done) / static_cast<double>(total));
}

void StageBar::tick() {
  for (const Stage& stage : stages_)
    if (stage.state == State::Running && stage.total == 0)
      progress_.wait(static_cast<double>(stageClock_.elapsed()) / 1000.0);
  update();
}

void StageBar::finish(const QString& name, double seconds) {
  Stage& stage = at(name);
  stage.state = State::Done;
  stage.seconds = seconds;
  progress_.finish(name);
  describe();
}

void StageBar::end(State state) {
  total_ = seconds();
  running_ = false;
  if (state == State::Done) {
    StageProgress::Times measured;
    for (const Stage& stage : stages_) measured.insert(stage.name, stage.seconds);
    // Writing takes a moment, and the result is to be shown first.
    QTimer::singleShot(0, this, [measured] { StageProgress::remember(measured); });
  }
  tick_.stop();
  for (Stage& stage : stages_) {
    if (stage.state != State::Running) continue;
    stage.state = state;
    stage.seconds = static_cast<double>(stageClock_.elapsed()) / 1000.0;
  }
  describe();
}

double StageBar::seconds() const {
  return running_ ? static_cast<double>(clock_.elapsed()) / 1000.0 : total_;
}

QString StageBar::stageTime(const Stage& stage) const {
  if (stage.state == State::Waiting) return {};
  if (stage.state != State::Running) return duration(stage.seconds);
  if (stage.total > 0) return percent(static_cast<double>(stage.done), static_cast<double>(stage.total));
  return duration(static_cast<double>(stageClock_.elapsed()) / 1000.0);
}

void StageBar::describe() {
  QStringList words;
  for (const Stage& stage : stages_) {
    const QString name = stageTitle(stage.name);
    switch (stage.state) {
      case State::Waiting:
        words << tr("%1: waiting").arg(name);
        break;
      case State::Running:
        words << tr("%1: running").arg(name);
        break;
      case State::Done:
        words << tr("%1: done in %2").arg(name, duration(stage.seconds));
        break;
      case State::Failed:
        words << tr("%1: failed").arg(name);
        break;
      case State::Stopped:
        words << tr("%1: stopped").arg(name);
        break;
    }
  }
  setAccessibleName(tr("Stages of the export"));
  setAccessibleDescription(words.join(QLatin1String("; ")));
  update();
}

QSize StageBar::sizeHint() const {
  return {760, fontMetrics().height() + 26};
}
QSize StageBar::minimumSizeHint() const {
  return {640, fontMetrics().height() + 26};
}

void StageBar::paintTrack(QPainter& painter, const QRect& rect, const Stage& stage) const {
  const QRectF track(rect.x(), rect.bottom() - 7, rect.width(), kTrack);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors().line);
  painter.drawRoundedRect(track, 1.5, 1.5);
  QRectF filled = track;
  if (stage.state == State::Waiting) return;
  if (stage.state == State::Running && stage.total > 0) {
    filled.setWidth(track.width() * qMin(1.0, static_cast<double>(stage.done) / static_cast<double>(stage.total)));
  } else if (stage.state == State::Running) {
    // Not known how far: a piece that travels.
    const double phase = static_cast<double>(stageClock_.elapsed() % 1600) / 1600.0;
    filled.setWidth(track.width() * 0.3);
    filled.moveLeft(track.x() + (track.width() - filled.width()) * (phase < 0.5 ? 2 * phase : 2 - 2 * phase));
  }
  painter.setBrush(inkColor(lookOf(stage.state).ink));
  painter.drawRoundedRect(filled, 1.5, 1.5);
}

void StageBar::paintStage(QPainter& painter, const QRect& rect, const Stage& stage) const {
  const Look look = lookOf(stage.state);
  const int middle = (rect.height() - 8) / 2;
  paintIcon(painter, QRect(rect.x(), middle - 8, grid::kIcon, grid::kIcon), look.icon, look.ink);
  const QString title = stageTitle(stage.name);
  const QFont font = Theme::current().font(
      stage.state == State::Running || stage.state == State::Failed ? FontRole::Strong : FontRole::Body);
  const QFontMetrics metrics(font);
  painter.setFont(font);
  painter.setPen(stage.state == State::Waiting  ? colors().secondary
                 : stage.state == State::Failed ? colors().error
                                                : colors().text);
  const QRect text(rect.x() + 22, 0, rect.width() - 22, rect.height() - 8);
  painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, title);
  const int used = metrics.horizontalAdvance(title) + grid::kGap;
  painter.setFont(Theme::current().font(FontRole::Small));
  painter.setPen(colors().secondary);
  painter.drawText(text.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, stageTime(stage));
  paintTrack(painter, rect, stage);
}

void StageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), colors().window);
  for (size_t i = 0; i < stages_.size(); ++i) paintStage(painter, stageRect(*this, i, stages_.size()), stages_[i]);
  if (running_ || total_ > 0.0) paintTotal(painter);
}

// While it runs, how far the whole is; then how long it took.
void StageBar::paintTotal(QPainter& painter) const {
  const QRect total(width() - grid::kMargin - kTotalWidth, 0, kTotalWidth, height() - 8);
  const QString time = duration(seconds());
  painter.setFont(Theme::current().font(FontRole::Strong));
  painter.setPen(colors().text);
  if (!running_) return painter.drawText(total, Qt::AlignVCenter | Qt::AlignRight, time);
  const int used = painter.fontMetrics().horizontalAdvance(QStringLiteral("100 %")) + grid::kGap;
  painter.drawText(total, Qt::AlignVCenter | Qt::AlignRight, tr("%1\u2009%").arg(qFloor(progress() * 100.0)));
  painter.setFont(Theme::current().font(FontRole::Small));
  painter.setPen(colors().secondary);
  painter.drawText(total.adjusted(0, 0, -used, 0), Qt::AlignVCenter | Qt::AlignRight, time);
}

bool StageBar::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (size_t i = 0; i < stages_.size(); ++i)
    if (stageRect(*this, i, stages_.size()).contains(help->pos()))
      QToolTip::showText(help->globalPos(), stageMeaning(stages_[i].name), this);
  return true;
}

}  // namespace exportdeck::gui
