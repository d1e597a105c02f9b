// What the tests of the command line share.
#pragma once

#include <QDir>
#include <QFile>
#include <QTest>
#include <nlohmann/json.hpp>
#include <set>

#include "support/files.h"
#include "support/run_program.h"

namespace exportdeck::tests {

inline QString samplePath(const char* name) {
  return QString::fromStdString(repositoryFile(std::string("resources/samples/") + name));
}
inline QString digitsArchive() {
  return samplePath("digits.pt2");
}
inline QString digitsCase() {
  return samplePath("digits_case");
}

// The one object on stdout; null where it is not exactly one.
inline nlohmann::json jsonOf(const ProgramResult& result) {
  return nlohmann::json::parse(result.output.begin(), result.output.end(), nullptr, false);
}
inline QByteArray lastMessage(const ProgramResult& result) {
  return result.messages.trimmed().split('\n').last();
}

inline std::set<std::string> keysOf(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// A copy of an archive without its example inputs: their entry has another name, so nobody finds it.
inline QString withoutSamples(const QString& archive, const TemporaryFolder& folder) {
  QFile in(archive);
  if (!in.open(QIODevice::ReadOnly)) qFatal("the archive cannot be read");
  const QByteArray content = in.readAll().replace("data/sample_inputs/", "data/sample_inputz/");
  return QString::fromStdString(folder.write("no_samples.pt2", content.toStdString()));
}

// A copy of the digits case in which the expected outputs are wrong.
inline QString wrongCase(const TemporaryFolder& folder) {
  const QDir from(digitsCase());
  const QString to = QString::fromStdString(folder.file("wrong_case"));
  QDir().mkpath(to);
  for (const QString& name : from.entryList(QDir::Files)) {
    QFile in(from.filePath(name)), out(to + "/" + name);
    if (!in.open(QIODevice::ReadOnly) || !out.open(QIODevice::WriteOnly)) qFatal("the case cannot be copied");
    QByteArray content = in.readAll();
    if (name.startsWith("scores")) content[2] = static_cast<char>(content[2] ^ 2);  // by one or two per cent
    out.write(content);
  }
  return to;
}

}  // namespace exportdeck::tests
