// A window of its own for each test: its settings and files in a folder that vanishes, and a command line played by a
// script.
#pragma once

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "gui/main_window.h"
#include "gui/message_bar.h"
#include "gui/outcome_pane.h"
#include "gui/setup_pane.h"
#include "gui/theme.h"

namespace exportdeck::gui::testing {

inline constexpr int kPatience = 20'000;  // ms

// Plays `exportdeck`: inspect answers at once; export runs its stages, and what PLAY says decides how it ends.
inline constexpr char kPlayedProgram[] = R"SH(#!/bin/sh
for word in "$@"; do printf '%s\n' "$word"; done >> "$PLAY_FOLDER/calls.txt"
if [ "$1" = inspect ]; then
  case "$2" in
  *broken*)
    echo '{"exportdeck":"0","command":"inspect","exit":3,"error":{"code":"archive.invalid","severity":"error","message":"The file is no zip archive.","why":"Its first bytes are not those of one.","fixes":["Save the model again with torch.export.save."],"occurrences":1,"where":{}},"diagnostics":[]}'
    exit 3;;
  *.pte) echo '{"exportdeck":"0","command":"inspect","exit":0,"kind":"pte","path":"x.pte","bytes":10}'; exit 0;;
  esac
  upper=64 bytes='{"inputs":38535168,"outputs":256000,"largest":{"value":"conv2d","bytes":102760448}}'
  case "$*" in
  *"--bound s0=16"*) bytes='{"inputs":9633792,"outputs":64000,"largest":{"value":"conv2d","bytes":25690112}}';;
  *unbounded*) upper=null bytes='{"inputs":null,"outputs":null,"largest":null}';;
  esac
  cat <<JSON
{"exportdeck":"0","command":"inspect","exit":0,"kind":"pt2","path":"$2","bytes":10485760,"torch_version":"2.13.0","schema":"8.20","dialect":"TRAINING",
"inputs":[{"name":"image","kind":"tensor","dtype":"float32","shape":["s0",3,224,224]}],"outputs":[{"name":"scores","kind":"tensor","dtype":"float32","shape":["s0",1000]}],
"symbols":[{"symbol":"s0","lower":1,"upper":$upper,"inputs":["image dim 0"]}],"bytes_at_bounds":$bytes,
"parameters":3504872,"parameter_bytes":14019488,"operators":{"aten.conv2d.default":52,"aten.batch_norm.default":52,"aten.hardtanh.default":35,"aten.add.Tensor":10,"aten.adaptive_avg_pool2d.default":1,"aten.flatten.using_ints":1,"aten.dropout.default":1,"aten.linear.default":1},"nodes":153}
JSON
  exit 0
fi
say() { echo "$1" >&2; }
out=; last=
for word in "$@"; do [ "$last" = -o ] && out="$word"; last="$word"; done
trap 'say "{\"v\":1,\"event\":\"log\",\"level\":\"info\",\"text\":\"stopping\"}"; echo "{\"exit\":6,\"error\":{\"code\":\"cancelled\",\"severity\":\"error\",\"message\":\"The export was cancelled.\",\"fixes\":[],\"where\":{}},\"diagnostics\":[]}"; exit 6' TERM INT
say '{"v":1,"event":"plan","stages":["read","lower","partition","write","verify","publish"]}'
say '{"v":1,"event":"started","stage":"read","t":0.001}'
say '{"v":1,"event":"log","level":"debug","text":"348 entries in the archive","t":0.002}'
say '{"v":1,"event":"finished","stage":"read","elapsed":0.012,"t":0.013}'
say '{"v":1,"event":"started","stage":"lower","t":0.013}'
if [ "$PLAY" = fail ]; then
  d='{"code":"operator.unsupported","severity":"error","message":"The operator aten.sort.default cannot be lowered","why":"No lowering for it exists in this version.","fixes":["Take the sort out of the model and do it on the outputs.","Replace it by topk where the size is fixed."],"occurrences":1,"where":{"node":"sort","op":"aten.sort.default","source_file":"/home/anna/models/ranker.py","source_line":48,"source_text":"scores, order = x.sort(dim=-1)","module_path":"head.rank","module_type":"ranker.RankHead"}}'
  say "{\"v\":1,\"event\":\"diagnostic\",\"diagnostic\":$d,\"t\":0.03}"
  echo "{\"exportdeck\":\"0\",\"command\":\"export\",\"exit\":4,\"error\":$d,\"diagnostics\":[$d]}"
  exit 4
fi
say '{"v":1,"event":"finished","stage":"lower","elapsed":0.11,"t":0.13}'
say '{"v":1,"event":"started","stage":"partition","t":0.13}'
say '{"v":1,"event":"diagnostic","diagnostic":{"code":"node.not-delegated","severity":"info","message":"aten.flatten.using_ints stays outside the delegate","why":"A view needs no kernel of the backend.","fixes":[],"occurrences":1,"where":{"node":"flatten","op":"aten.flatten.using_ints","source_file":"/home/anna/models/net.py","source_line":21}},"t":0.2}'
say '{"v":1,"event":"finished","stage":"partition","elapsed":0.034,"t":0.18}'
say '{"v":1,"event":"started","stage":"write","t":0.18}'
say '{"v":1,"event":"advanced","stage":"write","done":6100000,"total":10000000,"t":0.19}'
[ "$PLAY" = crash ] && kill -SEGV $$
if [ "$PLAY" = chatter ]; then
  i=0; while [ $i -lt 2000 ]; do say '{"v":1,"event":"log","level":"debug","text":"a line of the log"}'; i=$((i+1)); done
fi
if [ "$PLAY" = slow ]; then i=0; while [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; fi
if [ "$PLAY" = stubborn ]; then trap '' TERM; i=0; while [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; fi
say '{"v":1,"event":"finished","stage":"write","elapsed":0.21,"t":0.4}'
say '{"v":1,"event":"started","stage":"verify","t":0.4}'
say '{"v":1,"event":"log","level":"warning","text":"the threads of the machine are fewer than the threads of the phone","t":0.41}'
say '{"v":1,"event":"finished","stage":"verify","elapsed":0.3,"t":0.7}'
say '{"v":1,"event":"started","stage":"publish","t":0.7}'
printf 'program' > "$out"
say '{"v":1,"event":"finished","stage":"publish","elapsed":0.004,"t":0.71}'
cat <<JSON
{"exportdeck":"0","command":"export","exit":0,"source":{},"output":{"path":"$out","bytes":8812544,"hash":"x"},"backend":"xnnpack","engine":"native","options":{},"profile":null,
"stages":[],"seconds":0.71,"coverage":{"nodes":101,"delegated":98,"delegates":1,"multiply_adds":300774272,"delegated_multiply_adds":300774272,"bytes":26500000,"delegated_bytes":26380000,
"by_operator":[{"op":"aten.convolution.default","total":52,"delegated":52,"multiply_adds":299494272,"bytes":18400000},{"op":"aten.hardtanh.default","total":35,"delegated":35,"multiply_adds":0,"bytes":7100000},{"op":"aten.add.Tensor","total":10,"delegated":10,"multiply_adds":0,"bytes":880000},{"op":"aten.mean.dim","total":2,"delegated":0,"multiply_adds":0,"bytes":115000},{"op":"aten.view_copy.default","total":1,"delegated":0,"multiply_adds":0,"bytes":5000},{"op":"aten.linear.default","total":1,"delegated":1,"multiply_adds":1280000,"bytes":4000}],
"by_module_path":[{"module":"features.0.conv","total":1,"delegated":1,"multiply_adds":10838016,"delegated_multiply_adds":10838016,"bytes":1600000},{"module":"features.17.pool","total":2,"delegated":0,"multiply_adds":0,"delegated_multiply_adds":0,"bytes":115000},{"module":"classifier","total":1,"delegated":1,"multiply_adds":1280000,"delegated_multiply_adds":1280000,"bytes":4000}],
"not_delegated":[{"op":"aten.view_copy.default","count":1,"reason":"A view needs no kernel of the backend","fix":"","where":{"node":"view","op":"aten.flatten.using_ints","source_file":"/home/anna/models/net.py","source_line":21,"source_text":"x = x.flatten(1)"},"multiply_adds":0,"bytes":5000},
{"op":"aten.mean.dim","count":2,"reason":"Reduces over dimension 1; the backend takes the last two of four only","fix":"Keep the dimensions and reduce over height and width","where":{"node":"mean","op":"aten.mean.dim","source_file":"net.py","source_line":4,"source_text":"return x.mean(1)","module_path":"features.17.pool","module_type":"net.ChannelPool"},"multiply_adds":0,"bytes":95000},
{"op":"aten.mean.dim","count":1,"reason":"the option exclude_ops keeps it out","fix":"Remove it from exclude_ops: set exclude_ops=","where":{"node":"mean_1","op":"aten.mean.dim","module_path":"head.gate"},"multiply_adds":0,"bytes":20000}]},
"plan":{"arena_bytes":9633792,"lower_bound":9633792,"instructions":6,"kernels":["aten::mean.out","aten::view_copy.out"]},
"sizes":{"program":18432,"constants":4096,"delegates":61440,"named_data":8724480,"total":8812544},"verification":{"kind":"run","inputs":"sample","match":null,"calls":1,"seconds":0.3},"command_line":[],"diagnostics":[]}
JSON
)SH";

class WindowFixture {
 public:
  WindowFixture() {
    const QString home = folder_.path();
    qputenv("HOME", home.toUtf8());
    qputenv("XDG_CONFIG_HOME", (home + "/config").toUtf8());
    qputenv("XDG_STATE_HOME", (home + "/state").toUtf8());
    qputenv("XDG_DATA_HOME", (home + "/data").toUtf8());
    qputenv("PLAY_FOLDER", home.toUtf8());
    qunsetenv("PLAY");
    QCoreApplication::setApplicationName(QStringLiteral("exportdeck"));
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home + "/config");
    usePlayedProgram();
  }

  void usePlayedProgram() {
    const QString script = folder_.filePath(QStringLiteral("exportdeck"));
    write(QStringLiteral("exportdeck"), kPlayedProgram);
    QFile::setPermissions(script, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("EXPORTDECK_CLI", script.toUtf8());
  }
  // The real one, in the folder of built programs.
  static QString realProgram() { return qEnvironmentVariable("EXPORTDECK_BIN") + QStringLiteral("/exportdeck"); }

  QString path(const QString& name) const { return folder_.filePath(name); }
  QString write(const QString& name, const QByteArray& text) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
      qFatal("cannot write %s", qPrintable(name));
    return file.fileName();
  }
  // The words that the played program was called with, one a line.
  QString calls() const {
    QFile file(path(QStringLiteral("calls.txt")));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }

  MainWindow& show(const QSize& size = {1024, 700}) {
    window_ = std::make_unique<MainWindow>();
    window_->resize(size);
    window_->show();
    if (!QTest::qWaitForWindowActive(window_.get())) qFatal("the window does not show");
    return *window_;
  }
  MainWindow& showWithModel(const QSize& size = {1024, 700}) {
    MainWindow& window = show(size);
    window.open(write(QStringLiteral("mobilenet_v2.pt2"), "model"));
    if (!QTest::qWaitFor([&] { return !window.isReading(); }, kPatience)) qFatal("the model is not read");
    return window;
  }
  MainWindow& window() { return *window_; }
  void close() { window_.reset(); }

  template <typename Widget>
  Widget* find(const char* name) {
    // Of the model that is shown, else of the window.
    auto* found = window_->document().findChild<Widget*>(QString::fromLatin1(name));
    if (!found) found = window_->findChild<Widget*>(QString::fromLatin1(name));
    if (!found) qFatal("no widget named %s", name);
    return found;
  }
  bool waitForEnd() {
    return QTest::qWaitFor([&] { return !window_->isExporting(); }, kPatience);
  }

 private:
  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace exportdeck::gui::testing
