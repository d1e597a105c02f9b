#include "support/files.h"

#include <QDir>
#include <QFile>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::tests {
namespace {

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  if (!folder_.isValid()) throw ExportError(Code::FileUnwritable, "no folder for the test's files can be made");
}

std::string TemporaryFolder::file(std::string_view name) const {
  return folder_.filePath(qt(name)).toStdString();
}

std::string TemporaryFolder::write(std::string_view name, std::string_view content) const {
  const std::string path = file(name);
  writeBytes(path, std::as_bytes(std::span(content)));
  return path;
}

std::string TemporaryFolder::listing() const {
  const auto filters = QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System;
  return QDir(folder_.path()).entryList(filters, QDir::Name).join(' ').toStdString();
}

Bytes readBytes(const std::string& path) {
  const auto file = InputFile::open(path);
  Bytes bytes(file->size());
  file->read(0, bytes);
  return bytes;
}

std::string readText(const std::string& path) {
  const Bytes bytes = readBytes(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void writeBytes(const std::string& path, std::span<const std::byte> bytes) {
  QFile file(qt(path));
  const auto size = static_cast<qint64>(bytes.size());
  if (!file.open(QIODevice::WriteOnly) || file.write(reinterpret_cast<const char*>(bytes.data()), size) != size)
    throw ExportError(Code::FileUnwritable, concat("cannot write ", path));
}

std::string repositoryFile(std::string_view relative) {
  return concat(EXPORTDECK_SOURCE_DIR, "/", relative);
}

std::string sharedCase(std::string_view name) {
  return concat(EXPORTDECK_SOURCE_DIR, "/../shared/cases/", name);
}

bool sharedCaseExists(std::string_view name) {
  return QFile::exists(qt(sharedCase(name) + "/case.json"));
}

}  // namespace exportdeck::tests
