// The editors of option values. Each holds words, which may be wrong: the model says so.
#pragma once

#include <QAbstractSpinBox>

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

// A switch is no editor of its own: the delegate toggles Bool in place, and createOptionEditor makes none for it.
QWidget* createOptionEditor(const options::OptionSpec& spec, QWidget* parent);
QString editorWords(const QWidget* editor);
void setEditorWords(QWidget* editor, const QString& words);

}  // namespace exportdeck::gui
