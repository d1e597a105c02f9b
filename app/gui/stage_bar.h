// The stages of an export in a row: what is done, how far the present one is, what is left, and the time each took.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "gui/stage_progress.h"

namespace exportdeck::gui {

class StageBar : public QWidget {
  Q_OBJECT
 public:
  enum class State { Waiting, Running, Done, Failed, Stopped };
  struct Stage {
    QString name;
    State state = State::Waiting;
    double seconds = 0.0;
    quint64 done = 0, total = 0;  // total 0: not known
  };

  explicit StageBar(QWidget* parent = nullptr);

  void begin();  // an export starts; its plan is not known yet
  void setPlan(const QStringList& stages);
  void start(const QString& stage);
  void advance(const QString& stage, quint64 done, quint64 total);
  void finish(const QString& stage, double seconds);
  // The stage that ran is the one that failed or was stopped.
  void end(State state);
  const std::vector<Stage>& stages() const { return stages_; }
  double seconds() const;
  double progress() const { return progress_.value(); }  // of the whole export, from 0 to 1

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  Stage& at(const QString& name);
  void paintStage(QPainter& painter, const QRect& rect, const Stage& stage) const;
  void paintTrack(QPainter& painter, const QRect& rect, const Stage& stage) const;
  QString stageTime(const Stage& stage) const;
  void describe();
  void tick();
  void paintTotal(QPainter& painter) const;

  StageProgress progress_;
  std::vector<Stage> stages_;
  QElapsedTimer clock_;
  QElapsedTimer stageClock_;
  double total_ = 0.0;
  bool running_ = false;
  QTimer tick_;
};

QString stageTitle(const QString& name);    // "Partition"
QString stageMeaning(const QString& name);  // one sentence

}  // namespace exportdeck::gui
