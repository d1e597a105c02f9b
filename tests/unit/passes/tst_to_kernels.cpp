// Operators become the calls that the writer takes; a call that would fail at run time is refused.
#include <QTest>

#include "ops/schema.h"
#include "pass_support.h"
#include "support/errors.h"

using namespace exportdeck;
using passes::toKernels;
using tests::after;

namespace {

// The error that the pass throws for one operator: its stable code and sentence.
std::pair<std::string, std::string> refusal(const std::string& head, const std::string& node) {
  const auto error = tests::errorOf([&] { return after(toKernels, "graph g {\n" + head + node + "\n  return ()\n}"); });
  return error ? std::pair(std::string(codeInfo(error->code).id), error->message)
               : std::pair(std::string("none"), std::string());
}

}  // namespace

class TestToKernels : public QObject {
  Q_OBJECT

 private slots:
  void argumentsFollowTheKernel() {
    QCOMPARE(after(toKernels, R"(graph g {
  input %x : f32[2,3]
  input %y : f32[2,3]
  %a : f32[2,3] = aten.add.Tensor(%x, %y, 1)
  %b : f32[2] = aten.mean.dim(%a, [1], false, none)
  %c : f32[2] = aten.sum.dim_IntList(%a, [1], false, none)
  %d : f32[3] = aten.arange.start(0, 3, dtype:f32, none, opaque:"cpu", false)
  %e : f32[2,2] = aten.full.default([2, 2], 1.5, dtype:f32, none, none, none)
  return (%b, %c, %d, %e)
})"),
             QString(R"(graph g {
  input %x : f32[2,3]
  input %y : f32[2,3]
  %a : f32[2,3] = aten.add.out(%x, %y, 1)
  %b : f32[2] = aten.mean.out(%a, [1], false, none)
  %c : f32[2] = aten.sum.IntList_out(%a, [1], false, none)
  %d : f32[3] = aten.arange.start_out(0, 3, 1)
  %e : f32[2,2] = aten.full.out([2, 2], 1.5)
  return (%b, %c, %d, %e)
}
)"));
  }

  // What an expression of sizes is at run time is computed once, from an input that has the size. A view finds one size
  // by itself, an expansion keeps those that stay.
  void sizesAreComputed() {
    QCOMPARE(after(toKernels, R"(graph g {
  symbol s0 in [2, 8]
  input %w : f32["2*s0",1,3]
  input %x : f32[s0,3]
  %a : f32["3*s0"] = aten.view_copy.default(%x, [sym:"3*s0"])
  %b : f32["s0 - 1",3] = aten.slice_copy.Tensor(%x, 0, 0, sym:"s0 - 1", 1)
  %c : f32["2*s0",s0,3] = aten.expand_copy.default(%w, [sym:"2*s0", sym:"s0", 3], false)
  %d : f32["s0 - 1"] = aten.full.default([sym:"s0 - 1"], 1.0, dtype:f32, none, none, none)
  return (%a, %b, %c, %d, sym:"s0 + 5")
})"),
             QString(R"(graph g {
  symbol s0 in [2, 8]
  input %w : f32["2*s0",1,3]
  input %x : f32[s0,3]
  %a : f32["3*s0"] = aten.view_copy.default(%x, [-1])
  %size : int = aten.sym_size.int(%x, 0)
  %size_1 : int = executorch_prim.add.Scalar(%size, -1)
  %b : f32["s0 - 1",3] = aten.slice_copy.Tensor_out(%x, 0, 0, %size_1, 1)
  %c : f32["2*s0",s0,3] = aten.expand_copy.out(%w, [-1, %size, 3], false)
  %d : f32["s0 - 1"] = aten.full.out([%size_1], 1.0)
  %size_2 : int = executorch_prim.add.Scalar(%size, 5)
  return (%a, %b, %c, %d, %size_2)
}
)"));
  }

  void sizesFollowFromOthers() {
    const QString text = after(toKernels, R"(graph g {
  symbol s0 in [2, 8]
  input %x : f32["2*s0 + 1"]
  %a : f32[s0] = aten.full.default([sym:"s0"], 1.0, dtype:f32, none, none, none)
  return (%a)
})");
    QVERIFY2(text.contains("executorch_prim.sub.Scalar(%size, 1)"), qPrintable(text));
    QVERIFY2(text.contains("executorch_prim.floordiv.Scalar(%size_1, 2)"), qPrintable(text));
  }

  void sizesWithoutBoundAreRefused() {
    const auto [code, message] = refusal("  input %x : f32[s0]\n", "  %y : f32[s0] = aten.abs.default(%x)");
    QCOMPARE(code, std::string("shape.unsupported"));
    QVERIFY2(message.find("no upper bound") != std::string::npos, message.c_str());
  }

  void severalResultsAndLists() {
    QCOMPARE(after(toKernels, R"(graph g {
  input %x : f32[4,3]
  %v : f32[4] , %i : i64[4] = aten.max.dim(%x, 1, false)
  %a : f32[2,3] , %b : f32[2,3] = aten.split_copy.Tensor(%x, 2, 0)
  %c : f32[4,3] = aten.cat.default({%a, %b}, 0)
  return (%v, %i, %c)
})"),
             QString(R"(graph g {
  input %x : f32[4,3]
  %v : f32[4], %i : i64[4] = aten.max.dim_max(%x, 1, false)
  %a : f32[2,3], %b : f32[2,3] = aten.split_copy.Tensor_out(%x, 2, 0)
  %c : f32[4,3] = aten.cat.out({%a, %b}, 0)
  return (%v, %i, %c)
}
)"));
  }

  void copiesNameTheirLayout() {
    QCOMPARE(after(toKernels, R"(graph g {
  input %x : f32[2,3]
  %a : f16[2,3] = aten._to_copy.default(%x, dtype:f16, none, none, none, false, format:preserve)
  %b : f16[2,3] = aten.clone.default(%a, format:contiguous)
  %c : f32[2,3] = aten.full_like.default(%x, 1, none, none, none, none, format:preserve)
  return (%b, %c)
})"),
             QString(R"(graph g {
  input %x : f32[2,3]
  %a : f16[2,3] = dim_order_ops._to_dim_order_copy.out(%x, false, [0, 1])
  %b : f16[2,3] = dim_order_ops._clone_dim_order.out(%a, false, [0, 1])
  %c : f32[2,3] = aten.full_like.out(%x, 1, none)
  return (%b, %c)
}
)"));
  }

  void reshapesAreViews() {
    QCOMPARE(after(toKernels, R"(graph g {
  input %x : f32[2,1,3]
  %a : f32[2,3] = aten.squeeze_copy.dims(%x, [1])
  %b : f32[1,2,3] = aten.unsqueeze_copy.default(%a, 0)
  %c : f32[6] = aten.view_copy.default(%b, [-1])
  return (%c)
})"),
             QString(R"(graph g {
  input %x : f32[2,1,3]
  %a : f32[2,3] = aten.view_copy.default(%x, [2, 3])
  %b : f32[1,2,3] = aten.view_copy.default(%a, [1, 2, 3])
  %c : f32[6] = aten.view_copy.default(%b, [6])
  return (%c)
}
)"));
  }

  void numbersBecomeTensors() {
    const QString text = after(toKernels, R"(graph g {
  input %x : f32[2]
  input %n : i64[2]
  %a : f32[2] = aten.mul.Tensor(%x, 2)
  %b : i64[2] = aten.mul.Tensor(%n, 2)
  %c : f32[2] = aten.add.Tensor(%x, 2, 1)
  return (%a, %b, %c)
})");
    QCOMPARE(text.count("  const "), 2);  // one f32, one i64; equal ones are shared
    QVERIFY(text.contains(": f32[] = "));
    QVERIFY(text.contains(": i64[] = "));
  }

  void everyCallIsOfAKernel() {
    const auto graph = tests::graphAfter(toKernels, R"(graph g {
  input %x : f32[1,2,4,4]
  const %w : f32[3,2,3,3] = "w"
  %a : f32[1,3,2,2] = aten.convolution.default(%x, %w, none, [1, 1], [0, 0], [1, 1], false, [0, 0], 1)
  %b : f32[1,3,2,2] = aten.relu.default(%a)
  %c : f32[1,3,1,1] , %d : i64[1,3,1,1] = aten.max_pool2d_with_indices.default(%b, [2, 2], [2, 2], [0, 0], [1, 1], false)
  return (%c)
})");
    for (const auto& node : graph->nodes()) {
      const ops::KernelInfo* kernel = ops::kernelFor(node->op());
      QVERIFY(kernel);
      QCOMPARE(kernel->schema->name, node->op());
    }
  }

  void halfIsComputedInFloatWhereKernelsAreCoarse() {
    QCOMPARE(after(toKernels, R"(graph g {
  input %x : f16[2,3]
  input %b : f16[2]
  %m : f16[2,3] = aten.cumsum.default(%x, 1, dtype:f16)
  %n : f16[2,3] = aten.relu.default(%m)
  %k : f16[2,3] = aten.cumsum.default(%n, 0, none)
  return (%m, %k)
})"),
             QString(R"(graph g {
  input %x : f16[2,3]
  input %b : f16[2]
  %x_1 : f32[2,3] = dim_order_ops._to_dim_order_copy.out(%x, false, [0, 1])
  %m : f32[2,3] = aten.cumsum.out(%x_1, 1, dtype:f32)
  %m_1 : f16[2,3] = dim_order_ops._to_dim_order_copy.out(%m, false, [0, 1])
  %n : f16[2,3] = aten.relu.out(%m_1)
  %n_1 : f32[2,3] = dim_order_ops._to_dim_order_copy.out(%n, false, [0, 1])
  %k : f32[2,3] = aten.cumsum.out(%n_1, 0, none)
  %k_1 : f16[2,3] = dim_order_ops._to_dim_order_copy.out(%k, false, [0, 1])
  return (%m_1, %k_1)
}
)"));
  }

  void constantsOfCoarseKernelsAreWidenedAtExport() {
    const auto graph = tests::graphAfter(toKernels, R"(graph g {
  input %x : f16[1,2,4,4]
  const %w : f16[3,2,3,3] = "w"
  %a : f16[1,3,2,2] = aten.convolution.default(%x, %w, none, [1, 1], [0, 0], [1, 1], false, [0, 0], 1)
  return (%a)
})");
    QCOMPARE(graph->constants().size(), size_t(1));
    QCOMPARE(graph->constants().front()->type().dtype, ir::DType::Float32);
    QCOMPARE(graph->nodes().size(), size_t(3));  // in, convolution, out
  }

  void statisticsThatNothingReads() {
    QVERIFY(after(toKernels, R"(graph g {
  input %x : f32[2,3,4,4]
  const %s : f32[3] = "s"
  %y : f32[2,3,4,4] , %m : f32[3] , %v : f32[3] = aten._native_batch_norm_legit_no_training.default(%x, %s, %s, %s, %s, 0.1, 0.5)
  return (%y)
})")
                .contains("%m : f32[0], %v : f32[0] = aten._native_batch_norm_legit_no_training.out("));
    QVERIFY(after(toKernels, R"(graph g {
  input %x : f16[2,8]
  %y : f16[2,8] , %m : f32[2,1] , %r : f32[2,1] = aten.native_layer_norm.default(%x, [8], none, none, 0.5)
  return (%y)
})")
                .contains("%y : f32[2,8], %m : f32[2,1], %r : f32[2,1] = aten.native_layer_norm.out("));
  }

  void elementTypesThatTheKernelLacks() {
    const auto [code, message] =
        refusal("  input %x : i32[2,3]\n", "  %a : i32[2,3] = aten.gelu.default(%x, \"none\")");
    QCOMPARE(code, std::string("dtype.unsupported"));
    QCOMPARE(message, std::string("the kernel aten::gelu.out does not compute (int32) -> int32"));
    QCOMPARE(refusal("  input %x : f16[2,3]\n", "  %a : f16[2,3] = aten.gelu.default(%x, \"none\")").first,
             std::string("none"));
    QCOMPARE(
        refusal("  input %x : f32[2]\n  input %y : i64[2]\n", "  %a : f32[2] = aten.maximum.default(%x, %y)").first,
        std::string("dtype.unsupported"));
    QCOMPARE(refusal("  input %x : i64[2]\n", "  %a : f32[2] = aten.add.Scalar(%x, 1.5, 1)").first,
             std::string("dtype.unsupported"));
  }

  void sizesThatTheKernelLacks() {
    const auto [code, message] =
        refusal("  input %x : f32[1,1,4,4,4]\n  const %w : f32[1,1,2,2,2] = \"w\"\n",
                "  %a : f32[1,1,3,3,3] = aten.convolution.default(%x, %w, none, [1, 1, 1], [0, 0, 0], "
                "[1, 1, 1], false, [0, 0, 0], 1)");
    QCOMPARE(code, std::string("shape.unsupported"));
    QVERIFY(QString::fromStdString(message).endsWith("it convolves 3 spatial dimensions, and the kernel 1 or 2"));
    QCOMPARE(refusal("  input %x : f32[4]\n", "  %a : f32[2] = aten.constant_pad_nd.default(%x, [-1, -1], 0)").first,
             std::string("shape.unsupported"));
    QCOMPARE(refusal("  input %x : u8[4]\n", "  %a : u8[4] = aten.clamp.default(%x, -1, none)").first,
             std::string("shape.unsupported"));
    QCOMPARE(refusal("  input %x : i8[4]\n", "  %a : i8[4] = aten.clamp.default(%x, -128, 127)").first,
             std::string("none"));
    // A size that depends on data may be 0, and the kernel then loses the others.
    const std::string picked = "  symbol u0 in [0, 4]\n  input %x : f32[u0,2]\n";
    QCOMPARE(refusal(picked, "  %a : f32[u0,4] = aten.cat.default({%x, %x}, 1)").first,
             std::string("shape.unsupported"));
    QCOMPARE(refusal(picked, "  %a : f32[\"2*u0\",2] = aten.cat.default({%x, %x}, 0)").first, std::string("none"));
    QCOMPARE(refusal(picked, "  %a : f32[2] = aten.sum.dim_IntList(%x, [0], false, none)").first,
             std::string("shape.unsupported"));
    QCOMPARE(refusal("  input %x : f32[0,3]\n", "  %a : f32[3] = aten.sum.dim_IntList(%x, [0], false, none)").first,
             std::string("shape.unsupported"));
    QCOMPARE(refusal("  input %x : f32[]\n", "  %a : f32[] = aten.cumsum.default(%x, 0, none)").first,
             std::string("shape.unsupported"));
  }
};

QTEST_APPLESS_MAIN(TestToKernels)
#include "tst_to_kernels.moc"
