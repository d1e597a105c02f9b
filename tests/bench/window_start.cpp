// window_start [ROUNDS]: starts the window and prints, as JSON, the median and the fastest time in milliseconds
// from the start of the process to a window that is painted and has handled its first events. The first start, which
// reads the libraries from the disk, does not count.
#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include "gui/main_window.h"
#include "gui/theme.h"

namespace {

using namespace exportdeck;

qint64 now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Tells when the window has been painted.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(qint64 started) : started_(started) {}

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (!told_ && event->type() == QEvent::Paint) {
      told_ = true;
      QTimer::singleShot(0, this, [this] {
        std::cout << now() - started_ << std::endl;
        QCoreApplication::quit();
      });
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  qint64 started_;
  bool told_ = false;
};

int startOnce(int argc, char** argv, qint64 started) {
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("exportdeck"));
  const gui::Theme theme(application);
  gui::MainWindow window;
  PaintWatch watch(started);
  window.installEventFilter(&watch);
  window.show();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && QByteArray(argv[1]) == "--once") return startOnce(argc, argv, QByteArray(argv[2]).toLongLong());
  const int rounds = argc == 2 ? std::max(1, QByteArray(argv[1]).toInt()) : 15;
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {
    QProcess child;
    child.start(QString::fromLocal8Bit(argv[0]), {QStringLiteral("--once"), QString::number(now())});
    if (!child.waitForFinished() || child.exitCode() != 0) {
      std::cerr << "the window did not start: " << child.readAllStandardError().toStdString();
      return 1;
    }
    if (round > 0) times.push_back(child.readAllStandardOutput().trimmed().toDouble() / 1000.0);
  }
  std::sort(times.begin(), times.end());
  std::cout << "{\"rounds\": " << rounds << ", \"median_ms\": " << times[times.size() / 2]
            << ", \"fastest_ms\": " << times.front() << "}" << std::endl;
  return 0;
}
