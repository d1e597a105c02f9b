// Running one pass on a graph given as text.
#pragma once

#include <QString>
#include <QTest>
#include <functional>
#include <string>

#include "base/progress.h"
#include "ir/graph.h"
#include "passes/passes.h"

namespace exportdeck::tests {

using PassFunction = void (*)(ir::Graph&, passes::PassContext&);

inline std::unique_ptr<ir::Graph> graphAfter(
    PassFunction pass, const std::string& text,
    std::function<bool(const ir::Node&)> keepWhole = [](const ir::Node&) { return false; }) {
  auto graph = ir::parse(text);
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  passes::PassContext passContext{context, diagnostics, std::move(keepWhole)};
  pass(*graph, passContext);
  ir::verify(*graph);
  return graph;
}

inline QString after(PassFunction pass, const std::string& text) {
  return QString::fromStdString(ir::print(*graphAfter(pass, text)));
}

// The graph of one operator on inputs, after decomposition: only the lines between the inputs and the result.
inline QString decomposed(const std::string& head, const std::string& node, const std::string& result) {
  const QString text = after(passes::decompose, "graph g {\n" + head + "  " + node + "\n  return (" + result + ")\n}");
  QStringList kept;
  for (const QString& line : text.split('\n')) {
    if (line.contains(" = aten.") || line.startsWith("  const")) kept << line.trimmed();
  }
  return kept.join('\n');
}

// Tests of single operators: rows of "head" (inputs and constants), "node" (which defines %y) and what becomes of it.
inline void addNodeColumns() {
  QTest::addColumn<QString>("head");
  QTest::addColumn<QString>("node");
  QTest::addColumn<QString>("expected");
}

inline void compareNode() {
  QFETCH(QString, head);
  QFETCH(QString, node);
  QFETCH(QString, expected);
  QCOMPARE(decomposed(head.toStdString(), node.toStdString(), "%y"), expected);
}

}  // namespace exportdeck::tests
