// The one place for what would otherwise be a modal box: a line below the header, with actions.
#pragma once

#include <QFrame>
#include <functional>
#include <optional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace exportdeck::gui {

enum class Tone { Info, Success, Warning, Error, Question };

struct MessageAction {
  QString text;
  std::function<void()> run;  // the message is dismissed before it runs
};

struct Message {
  Tone tone = Tone::Info;
  QString text;    // one sentence
  QString detail;  // why, and what to do; may be empty
  std::vector<MessageAction> actions;
};

// Shows one message. A question stays until it is answered: what is shown meanwhile waits behind it.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void show(Message message);
  void dismiss();  // also a question
  bool isAsking() const { return isVisibleTo(parentWidget()) && current_.tone == Tone::Question; }
  const Message& message() const { return current_; }

 private:
  void present(Message message);
  void addAction(const MessageAction& action);

  Message current_;
  std::optional<Message> waiting_;
  QLabel* icon_;
  QLabel* text_;
  QHBoxLayout* actions_;
  QToolButton* close_;
  std::vector<QPushButton*> buttons_;
};

}  // namespace exportdeck::gui
