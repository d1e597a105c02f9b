// Nothing is open: the page says what happens, and takes a model.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace exportdeck::gui {

class EmptyPage : public QWidget {
  Q_OBJECT
 public:
  explicit EmptyPage(QWidget* parent = nullptr);
  void setRecent(const QStringList& paths);
  void setDropHover(bool hover);

 signals:
  void openWanted();
  void sampleWanted();
  void recentWanted(const QString& path);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QWidget* target_;
  QWidget* recent_;
  QVBoxLayout* recentRows_;
  bool hover_ = false;
};

}  // namespace exportdeck::gui
