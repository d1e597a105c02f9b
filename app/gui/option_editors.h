// The editors of option values. Each holds words, which may be wrong: the model says so.
#pragma once

#include <QAbstractSpinBox>
#include <QLineEdit>
#include <functional>

#include "options/option_set.h"

namespace exportdeck::gui {

// Steps a number up and down within its range, and lets anything be typed.
class NumberEdit : public QAbstractSpinBox {
  Q_OBJECT
 public:
  explicit NumberEdit(const options::OptionSpec& spec, QWidget* parent = nullptr);
  void setWords(const QString& words);

  void stepBy(int steps) override;
  QValidator::State validate(QString& input, int& position) const override;

 signals:
  void wordsChanged(const QString& words);

 protected:
  StepEnabled stepEnabled() const override;

 private:
  double stepped(double value, int steps) const;

  options::OptionType type_;
  bool powerOfTwo_;
  double minimum_, maximum_;
};

// A text; where its length has a limit, the bytes are counted at its end: "12/255".
class TextEdit : public QLineEdit {
  Q_OBJECT
 public:
  explicit TextEdit(const options::OptionSpec& spec, QWidget* parent = nullptr);
  QString countText() const;  // "" without a limit

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  qint64 limit_;  // 0: none
};

// The path of a file, with a button for the names that need none and for a dialog.
class PathEdit : public TextEdit {
  Q_OBJECT
 public:
  explicit PathEdit(const options::OptionSpec& spec, QWidget* parent = nullptr);
  void browse();
  // Takes what is chosen. Menu and dialog may outlive the editor, which closes when it loses the focus.
  void setTaker(std::function<void(const QString& words)> take) { take_ = std::move(take); }

 private:
  void offer();

  std::function<void(const QString&)> take_;
  QStringList names_;
  bool writes_;
  QString title_;
};

// A list between commas, with a button that opens it as lines.
class ListEdit : public QLineEdit {
  Q_OBJECT
 public:
  explicit ListEdit(const options::OptionSpec& spec, QWidget* parent = nullptr);
  void openLines();

 signals:
  void chosen(const QString& words);

 private:
  options::OptionSpec spec_;
};

// A switch is no editor of its own: the delegate toggles Bool in place, and createOptionEditor makes none for it.
QWidget* createOptionEditor(const options::OptionSpec& spec, QWidget* parent);
QString editorWords(const QWidget* editor);
void setEditorWords(QWidget* editor, const QString& words);

}  // namespace exportdeck::gui
