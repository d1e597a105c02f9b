// The table of element types, as it was found by calling the kernels.
#include <QTest>

#include "ops/kernel_types.h"

using namespace exportdeck;
using ir::DType;
using ops::CallTypes;

namespace {

bool takes(const char* kernel, CallTypes types) {
  return ops::kernelTakes(*ops::kernelFor(kernel), types);
}

}  // namespace

class TestKernelTypes : public QObject {
  Q_OBJECT

 private slots:
  void oneTypeForAll() {
    QVERIFY(takes("aten.add.out", {{{"self", DType::Float32}, {"other", DType::Float32}}, {DType::Float32}}));
    QVERIFY(takes("aten.add.out", {{{"self", DType::Int64}, {"other", DType::Int64}}, {DType::Int64}}));
    QVERIFY(!takes("aten.add.out", {{{"self", DType::Float32}, {"other", DType::Int64}}, {DType::Float32}}));
    QVERIFY(!takes("aten.add.out", {{{"self", DType::Complex64}, {"other", DType::Complex64}}, {DType::Complex64}}));
    QVERIFY(!takes("aten.gelu.out", {{{"self", DType::Int32}}, {DType::Int32}}));
  }

  void fixedTypes() {
    QVERIFY(takes("aten.embedding.out", {{{"weight", DType::Float32}, {"indices", DType::Int64}}, {DType::Float32}}));
    QVERIFY(!takes("aten.embedding.out", {{{"weight", DType::Float32}, {"indices", DType::Int16}}, {DType::Float32}}));
    QVERIFY(takes("aten.where.self_out",
                  {{{"condition", DType::Bool}, {"self", DType::Int8}, {"other", DType::Int8}}, {DType::Int8}}));
  }

  void optionalOperandsAndSeveralResults() {
    const auto F = DType::Float32;
    QVERIFY(takes("aten.convolution.out", {{{"input", F}, {"weight", F}}, {F}}));
    QVERIFY(takes("aten.max.dim_max", {{{"self", F}}, {F, DType::Int64}}));
    QVERIFY(!takes("aten.max.dim_max", {{{"self", F}}, {F, F}}));
    QVERIFY(takes("aten.split_copy.Tensor_out", {{{"self", F}}, {F, F, F}}));
    QVERIFY(takes("aten.full.out", {{}, {DType::Bool}}));
  }

  void nothingIsKnownOfAnUntriedKernel() {
    const ops::KernelInfo& kernel = *ops::kernelFor("aten.convolution_backward.out");
    QVERIFY(ops::kernelTypesText(kernel).empty());
    QVERIFY(!ops::kernelTakes(kernel, {{}, {}}));
  }

  void textForMessages() {
    QCOMPARE(ops::kernelTypesText(*ops::kernelFor("aten.gelu.out")),
             std::string("self:A -> A for A = float16, bfloat16, float32, float64"));
  }
};

QTEST_APPLESS_MAIN(TestKernelTypes)
#include "tst_kernel_types.moc"
