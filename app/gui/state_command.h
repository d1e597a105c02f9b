// The one undo command of the window: something goes from one state to another, and back.
#pragma once

#include <QUndoCommand>
#include <utility>

namespace exportdeck::gui {

// Target has a State that can be compared, and restore(State). The change is made before the command is pushed.
// Commands of one `series` become one, such as the keys typed into a field; kNoSeries stands alone.
template <typename Target>
class StateCommand : public QUndoCommand {
 public:
  using State = typename Target::State;
  static constexpr int kNoSeries = -1;

  StateCommand(Target& target, State before, State after, const QString& text, int series)
      : QUndoCommand(text), target_(target), before_(std::move(before)), after_(std::move(after)), series_(series) {}

  void undo() override { target_.restore(before_); }
  void redo() override {
    if (std::exchange(made_, false)) return;
    target_.restore(after_);
  }
  int id() const override { return series_; }
  bool mergeWith(const QUndoCommand* other) override {
    after_ = static_cast<const StateCommand*>(other)->after_;
    setObsolete(before_ == after_);
    return true;
  }

 private:
  Target& target_;
  State before_, after_;
  int series_;
  bool made_ = true;
};

}  // namespace exportdeck::gui
