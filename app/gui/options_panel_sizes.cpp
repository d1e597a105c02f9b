// The rows of sizes and the option that holds their bounds are kept equal.
#include <QLabel>
#include <QScopedValueRollback>
#include <QTabBar>

#include "gui/options_panel.h"
#include "gui/texts.h"

namespace exportdeck::gui {

int OptionsPanel::boundRow() const {
  const auto& specs = export_->options().specs();
  for (size_t row = 0; row < specs.size(); ++row)
    if (specs[row].sizes) return static_cast<int>(row);
  return -1;
}

bool OptionsPanel::boundIsWrong() const {
  const int row = boundRow();
  if (row < 0) return false;
  return !export_->index(row, OptionsModel::ValueColumn).data(OptionsModel::ReasonRole).toString().isEmpty();
}

void OptionsPanel::setSizes(const QList<SizeSummary>& sizes) {
  {
    const QScopedValueRollback syncing(syncing_, true);
    sizes_->setSizes(sizes);
  }
  takeBound();
}

QString OptionsPanel::bounds() const {
  return sizes_->invalidCount() > 0 ? QString() : sizes_->bounds();
}

void OptionsPanel::takeBound() {
  if (syncing_) return;
  const QScopedValueRollback syncing(syncing_, true);
  const int row = boundRow();
  sizes_->setBounds(row < 0 ? QString() : export_->index(row, OptionsModel::ValueColumn).data(Qt::EditRole).toString());
  const bool shows = row >= 0 && sizes_->rowCount() > 0;
  if (!shows && tabs_->currentIndex() == SizesTab) tabs_->setCurrentIndex(ExportTab);
  if (tabs_->isTabVisible(SizesTab) == shows) return;
  tabs_->setTabVisible(SizesTab, shows);
  tabs_->updateGeometry();  // Qt 6.4 leaves the bar as wide as it was
}

void OptionsPanel::giveBound() {
  const int row = boundRow();
  if (syncing_ || row < 0) return;
  const QScopedValueRollback syncing(syncing_, true);
  export_->setData(export_->index(row, OptionsModel::ValueColumn), sizes_->bounds(), Qt::EditRole);
}

void OptionsPanel::setBoundBytes(const BoundBytes& bytes) {
  QStringList parts;
  if (bytes.inputs) parts << tr("inputs up to %1").arg(byteSize(*bytes.inputs));
  if (bytes.outputs) parts << tr("outputs up to %1").arg(byteSize(*bytes.outputs));
  if (bytes.largest) parts << tr("the largest value, %1, up to %2").arg(bytes.largestValue, byteSize(*bytes.largest));
  boundNote_ = parts.isEmpty() ? QString() : tr(" With these: %1.").arg(parts.join(tr(", ")));
  showNote();
}

void OptionsPanel::showNote() {
  if (tabs_->currentIndex() == RuntimeTab)
    note_->setText(tr("Kept in the profile for the program that loads the result; they do not change the file."));
  else
    note_->setText(tr("Memory is planned for the largest sizes.") + boundNote_);
  note_->setVisible(tabs_->currentIndex() != ExportTab);
}

}  // namespace exportdeck::gui
