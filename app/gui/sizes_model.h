// The sizes of the open model that change between calls, as rows: how large each may become.
#pragma once

#include <QList>

#include "gui/options_model.h"
#include "gui/source_summary.h"

namespace exportdeck::gui {

// Another view of the option that holds the bounds: each row is an option of its own, whose default is what the model
// states. Where it states no limit, the row is wrong until one is set.
class SizesModel : public OptionsModel {
  Q_OBJECT
 public:
  explicit SizesModel(QObject* parent = nullptr) : OptionsModel(parent) {}

  void setSizes(const QList<SizeSummary>& sizes);
  // "s0=512,s1=8", also with numbers that do not fit. A size that the model does not have gets a row that says so.
  // Rows stay where their values do not change.
  void setBounds(const QString& words);
  QString bounds() const;  // the same of what stands in the rows

  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  struct Bound {
    QString symbol, number;
  };
  static QList<Bound> parse(const QString& words);
  const SizeSummary* sizeOf(const QString& symbol) const;
  options::OptionSpec rowFor(const SizeSummary& size) const;
  State stateOf(const QList<Bound>& bounds) const;
  void complete(State& state) const;  // with what is missing

  QList<SizeSummary> sizes_;
  bool known_ = false;     // a model is open
  QStringList strangers_;  // sizes that are bounded and that the model does not have
};

}  // namespace exportdeck::gui
