// XNNPACK subgraphs: layouts, fused activations, the parameters of each operator.
#include <QTest>

#include "xnnpack_support.h"

using exportdeck::tests::lowered;

class TestXnnpackLowering : public QObject {
  Q_OBJECT

 private slots:
  // One transpose in, one out; the activation becomes the convolution's range; the filter is [out, h, w, in].
  void convolutionAndActivation() {
    const std::string text = R"(graph g {
  input %x : f32[1,3,8,8]
  const %w : f32[4,3,3,3] = "w"
  const %b : f32[4] = "b"
  %y : f32[1,4,4,4] = aten.convolution.default(%x, %w, %b, [2,2], [1,1], [1,1], false, [0,0], 1)
  %z : f32[1,4,4,4] = aten.relu.default(%y)
  return (%z)
})";
    QCOMPARE(lowered(text), QString(R"(v0: input 0 f32[1,3,8,8]
v2: static f32[4]
v3: static f32[4,3,3,3]
v1 = transpose(v0) f32[1,8,8,3] [0,2,3,1]
v4 = conv2d(v1, v3, v2) f32[1,4,4,4] kernel 3x3 stride 2x2 dilation 1x1 pad 1,1,1,1 groups 1x(3->4) range 0..inf
v5 = transpose(v4) f32[1,4,4,4] [0,3,1,2]
output 1: v5
)"));
    QVERIFY(lowered(text, false).contains("= clamp(v4) f32[1,4,4,4] range 0..inf"));
  }

  // Between convolutions everything runs on channels last: parameters follow the layout, constants too.
  void elementwiseAndMovesStayInChannelsLast() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[1,2,4,4]
  const %w : f32[2,2,1,1] = "w"
  const %s : f32[2,1,1] = "s"
  %a : f32[1,2,4,4] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  %b : f32[1,2,4,4] = aten.mul.Tensor(%a, %s)
  %c : f32[1,2,4,4] = aten.sigmoid.default(%b)
  %d : f32[1,4,4,4] = aten.cat.default({%c, %x}, 1)
  %e : f32[1,4,6,4] = aten.constant_pad_nd.default(%d, [0,0,1,1], 0.0)
  %f : f32[1,4,3,4] = aten.slice_copy.Tensor(%e, 2, 1, 4, 1)
  %g : f32[1,4,1,1] = aten.mean.dim(%f, [2,3], true, none)
  %h : f32[1,4] = aten.view_copy.default(%g, [1,4])
  return (%h)
})"),
             QString(R"(v0: input 0 f32[1,2,4,4]
v2: static f32[2,1,1,2]
v4: input 1 f32[1,1,1,2]
v1 = transpose(v0) f32[1,4,4,2] [0,2,3,1]
v3 = conv2d(v1, v2, none) f32[1,4,4,2] kernel 1x1 stride 1x1 dilation 1x1 pad 0,0,0,0 groups 1x(2->2)
v5 = multiply(v3, v4) f32[1,4,4,2]
v6 = sigmoid(v5) f32[1,4,4,2]
v7 = concatenate2(v6, v1) f32[1,4,4,4] axis 3
v8 = pad(v7) f32[1,6,4,4] before [0,1,0,0] after [0,1,0,0] value 0
v9 = slice(v8) f32[1,3,4,4] offsets [0,1,0,0] sizes [1,3,4,4]
v10 = global_avg_pool2d(v9) f32[1,1,1,4] flags 64
v11 = reshape(v10) f32[1,4] [1,4]
output 2: v11
)"));
  }

  void permutesIntoAndOutOfChannelsLastAreFree() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,8,8,3]
  const %w : f32[3,1,3,3] = "w"
  %a : f32[1,3,8,8] = aten.permute_copy.default(%x, [0,3,1,2])
  %b : f32[1,3,8,8] = aten.convolution.default(%a, %w, none, [1,1], [1,1], [1,1], false, [0,0], 3)
  %c : f32[1,8,8,3] = aten.permute_copy.default(%b, [0,2,3,1])
  return (%c)
})");
    QCOMPARE(text, QString(R"(v0: input 0 f32[1,8,8,3]
v1: static f32[1,3,3,3]
v2 = depthwise_conv2d(v0, v1, none) f32[1,8,8,3] kernel 3x3 stride 1x1 dilation 1x1 pad 1,1,1,1 groups 3x(1->1)
output 1: v2
)"));
  }

  // The way patches of an image become tokens.
  void flatteningAndPermutingAfterAConvolutionIsFree() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,3,8,8]
  const %w : f32[6,3,4,4] = "w"
  %a : f32[1,6,2,2] = aten.convolution.default(%x, %w, none, [4,4], [0,0], [1,1], false, [0,0], 1)
  %b : f32[1,6,4] = aten.view_copy.default(%a, [1,6,4])
  %c : f32[1,4,6] = aten.permute_copy.default(%b, [0,2,1])
  return (%c)
})");
    QCOMPARE(text.count("transpose("), 1);
    QVERIFY(text.contains("v4 = reshape(v3) f32[1,4,6] [1,4,6]\noutput 1: v4"));
  }

  void oneDimensionalConvolution() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[1,2,9]
  const %w : f32[4,2,3] = "w"
  %y : f32[1,4,4] = aten.convolution.default(%x, %w, none, [2], [0], [1], false, [0], 1)
  return (%y)
})"),
             QString(R"(v0: input 0 f32[1,2,9]
v3: static f32[4,1,3,2]
v1 = transpose(v0) f32[1,9,2] [0,2,1]
v2 = reshape(v1) f32[1,1,9,2] [1,1,9,2]
v5 = conv2d(v2, v3, none) f32[1,1,4,4] kernel 1x3 stride 1x2 dilation 1x1 pad 0,0,0,0 groups 1x(2->4)
v4 = reshape(v5) f32[1,4,4] [1,4,4]
v6 = transpose(v4) f32[1,4,4] [0,2,1]
output 1: v6
)"));
  }

  // XNNPACK's node is the exact one, so the approximation is built from others.
  void tanhGelu() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[2,3]
  %y : f32[2,3] = aten.gelu.default(%x, "tanh")
  return (%y)
})"),
             QString(R"(v0: input 0 f32[2,3]
v2: input 1 f32[]
v4: input 2 f32[]
v7: input 3 f32[]
v1 = square(v0) f32[2,3]
v3 = multiply(v1, v2) f32[2,3]
v5 = add(v3, v4) f32[2,3]
v6 = multiply(v5, v0) f32[2,3]
v8 = multiply(v0, v7) f32[2,3]
v9 = tanh(v6) f32[2,3]
v10 = multiply(v8, v9) f32[2,3]
v11 = add(v10, v8) f32[2,3]
output 4: v11
)"));
  }

  // The delegate reads what comes with its channels last as it lies.
  void channelsLastInput() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[1,3,4,4] strides [48, 1, 12, 3]
  const %w : f32[2,3,1,1] = "w"
  %y : f32[1,2,4,4] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  return (%y)
})"),
             QString(R"(v0: input 0 f32[1,4,4,3]
v1: static f32[2,1,1,3]
v2 = conv2d(v0, v1, none) f32[1,4,4,2] kernel 1x1 stride 1x1 dilation 1x1 pad 0,0,0,0 groups 1x(3->2)
v3 = transpose(v2) f32[1,2,4,4] [0,3,1,2]
output 1: v3
)"));
  }

  // And gives what PyTorch then gives so.
  void channelsLastOutput() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[1,3,4,4] strides [48, 1, 12, 3]
  %y : f32[1,3,2,2] = aten.max_pool2d.default(%x, [2,2], [2,2], [0,0], [1,1], false)
  return (%y)
})",
                     true, true),
             QString(R"(v0: input 0 f32[1,4,4,3]
v1 = max_pool2d(v0) f32[1,2,2,3] window 2x2 stride 2x2 dilation 1x1 pad 0,0,0,0
output 1: v1
)"));
  }

  // A row is repeated by joining it with itself: columns first, while there are few elements.
  void repeatedPixels() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[1,2,3,4] strides [24, 1, 8, 2]
  %y : f32[1,2,6,24] = aten.upsample_nearest2d.vec(%x, [6,24], none)
  return (%y)
})",
                     true, true),
             QString(R"(v0: input 0 f32[1,3,4,2]
v1 = reshape(v0) f32[12,1,2] [12,1,2]
v2 = concatenate2(v1, v1) f32[12,2,2] axis 1
v3 = reshape(v2) f32[12,1,4] [12,1,4]
v4 = concatenate3(v3, v3, v3) f32[12,3,4] axis 1
v5 = reshape(v4) f32[3,1,48] [3,1,48]
v6 = concatenate2(v5, v5) f32[3,2,48] axis 1
v7 = reshape(v6) f32[1,6,24,2] [1,6,24,2]
output 1: v7
)"));
  }

  // Seven times is six times and once more.
  void expansions() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[2,1,3]
  %y : f32[5,2,7,3] = aten.expand_copy.default(%x, [5, 2, 7, 3], false)
  return (%y)
})"),
             QString(R"(v0: input 0 f32[2,1,3]
v1 = concatenate2(v0, v0) f32[2,2,3] axis 1
v2 = reshape(v1) f32[2,1,6] [2,1,6]
v3 = concatenate3(v2, v2, v2) f32[2,3,6] axis 1
v4 = reshape(v3) f32[2,6,3] [2,6,3]
v5 = concatenate2(v4, v0) f32[2,7,3] axis 1
v6 = reshape(v5) f32[1,1,42] [1,1,42]
v7 = concatenate5(v6, v6, v6, v6, v6) f32[1,5,42] axis 1
v8 = reshape(v7) f32[5,2,7,3] [5,2,7,3]
output 1: v8
)"));
  }

  // One size of a reshape is found at run time, a slice takes all of it; a value with more is transposed instead.
  void sizesKnownAtRunTime() {
    QCOMPARE(lowered(R"(graph g {
  symbol s0 in [2, 8]
  input %x : f32[s0,6]
  %a : f32[s0,2,3] = aten.view_copy.default(%x, [sym:"s0", 2, 3])
  %b : f32[s0,1,3] = aten.slice_copy.Tensor(%a, 1, 0, 1, 1)
  %y : f32[1,s0,3] = aten.permute_copy.default(%b, [1, 0, 2])
  return (%y)
})"),
             QString(R"(v0: input 0 f32[s0,6]
v1 = reshape(v0) f32[s0,2,3] [s0,2,3]
v2 = slice(v1) f32[s0,1,3] offsets [0,0,0] sizes [s0,1,3]
v3 = reshape(v2) f32[1,s0,3] [1,s0,3]
output 1: v3
)"));
    QVERIFY(lowered(R"(graph g {
  symbol s0 in [2, 8]
  symbol s1 in [2, 8]
  input %x : f32[s0,1,s1]
  %a : f32[s0,1,s1] = aten.abs.default(%x)
  %y : f32[1,s0,s1] = aten.permute_copy.default(%a, [1, 0, 2])
  return (%y)
})")
                .contains("transpose(v1) f32[1,s0,s1] [1,0,2]"));
  }

  void scaledOperand() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[2,3]
  input %z : f32[3]
  %y : f32[2,3] = aten.sub.Tensor(%x, %z, 0.5)
  return (%y)
})"),
             QString(R"(v0: input 0 f32[2,3]
v1: input 1 f32[3]
v2: input 2 f32[]
v3 = multiply(v1, v2) f32[3]
v4 = subtract(v0, v3) f32[2,3]
output 3: v4
)"));
  }

  void transposedConvolution() {
    QVERIFY(lowered(R"(graph g {
  input %x : f32[1,4,3,3]
  const %w : f32[4,1,2,2] = "w"
  %y : f32[1,2,6,6] = aten.convolution.default(%x, %w, none, [2,2], [0,0], [1,1], true, [0,0], 2)
  return (%y)
})")
                .contains("conv_transpose2d(v1, v2, none) f32[1,6,6,2] kernel 2x2 stride 2x2 dilation 1x1 pad 0,0,0,0 "
                          "groups 2x(2->1)"));
  }

  void roundingUpPadsMaxPooling() {
    QVERIFY(lowered(R"(graph g {
  input %x : f32[1,1,6,7]
  %y : f32[1,1,3,3] = aten.max_pool2d.default(%x, [3,3], [2,2], [0,0], [1,1], true)
  return (%y)
})")
                .contains("window 3x3 stride 2x2 dilation 1x1 pad 0,0,1,0"));
  }

  void countedPaddingOfAnAverageIsMadeFirst() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,2,4,4]
  %y : f32[1,2,4,4] = aten.avg_pool2d.default(%x, [3,3], [1,1], [1,1], false, true, none)
  return (%y)
})");
    QVERIFY(text.contains("pad(v1) f32[1,6,6,2] before [0,1,1,0] after [0,1,1,0] value 0"));
    QVERIFY(text.contains("window 3x3 stride 1x1 dilation 1x1 pad 0,0,0,0"));
  }

  void longConcatenationsAreChains() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,2]
  %y : f32[1,14] = aten.cat.default({%x, %x, %x, %x, %x, %x, %x}, 1)
  return (%y)
})");
    QVERIFY(text.contains("v1 = concatenate5(v0, v0, v0, v0, v0) f32[1,10] axis 1"));
    QVERIFY(text.contains("v2 = concatenate3(v1, v0, v0) f32[1,14] axis 1"));
  }

  // The runtime takes neither an input as an output nor one value as two outputs.
  void outputsAreValuesOfTheirOwn() {
    const QString text = lowered(R"(graph g {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.clone.default(%x, none)
  %b : f32[2,3] = aten.exp.default(%x)
  %c : f32[2,3] = aten.clone.default(%b, none)
  return (%a, %b, %c)
})");
    QCOMPARE(text, QString(R"(v0: input 0 f32[2,3]
v1 = exp(v0) f32[2,3]
v2 = copy(v0) f32[2,3]
v3 = copy(v1) f32[2,3]
output 2: v1
output 1: v2
output 3: v3
)"));
  }

  // An activation with another reader of its operand cannot be fused.
  void sharedResultsAreNotClamped() {
    const QString text = lowered(R"(graph g {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.add.Tensor(%x, %x, 1)
  %b : f32[2,3] = aten.relu.default(%a)
  %c : f32[2,3] = aten.mul.Tensor(%a, %b)
  return (%c)
})");
    QVERIFY(text.contains("= clamp("));
  }

  void matrixProducts() {
    const QString text = lowered(R"(graph g {
  input %x : f32[2,3]
  const %w : f32[4,3] = "w"
  const %m : f32[4,5] = "m"
  const %b : f32[5] = "b"
  %a : f32[2,4] = aten.linear.default(%x, %w, none)
  %c : f32[2,5] = aten.addmm.default(%b, %a, %m, 1, 1)
  %d : f32[5,2] = aten.permute_copy.default(%c, [1,0])
  %e : f32[2,2] = aten.mm.default(%c, %d)
  return (%e)
})");
    QVERIFY(text.contains("fully_connected(v0, v1, none) f32[2,4]\n"));
    QVERIFY(text.contains("f32[2,5] flags 1\n"));
    QVERIFY(text.contains("batch_matrix_multiply("));
  }

  // A run of neighbouring dimensions is the width of [before, 1, run, behind].
  void reductionsOverNeighbours() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[2,3,4,5]
  %a : f32[2,5] = aten.sum.dim_IntList(%x, [1,2], false, none)
  %b : f32[2,1] = aten.amin.default(%a, [-1], true)
  return (%b)
})"),
             QString(R"(v0: input 0 f32[2,3,4,5]
v2: input 1 f32[]
v1 = global_avg_pool2d(v0) f32[2,1,1,5] flags 64
v3 = multiply(v1, v2) f32[2,1,1,5]
v4 = reshape(v3) f32[2,5] [2,5]
v5 = negate(v4) f32[2,5]
v6 = reshape(v5) f32[2,1,5,1] [2,1,5,1]
v7 = max_pool2d(v6) f32[2,1,1,1] window 1x5 stride 1x1 dilation 1x1 pad 0,0,0,0
v8 = negate(v7) f32[2,1,1,1]
v9 = reshape(v8) f32[2,1] [2,1]
output 2: v9
)"));
  }

  // Heads are split off and joined by one transpose each: the reshapes around them follow the memory, and the keys are
  // read as they lie.
  void attentionTransposesOnlyWhatIsRead() {
    const QString text = lowered(R"(graph g {
  input %q : f32[1,5,8]
  input %k : f32[1,5,8]
  input %v : f32[1,5,8]
  %q1 : f32[1,5,2,4] = aten.view_copy.default(%q, [1,5,2,4])
  %q2 : f32[1,2,5,4] = aten.permute_copy.default(%q1, [0,2,1,3])
  %q3 : f32[2,5,4] = aten.view_copy.default(%q2, [2,5,4])
  %k1 : f32[1,5,2,4] = aten.view_copy.default(%k, [1,5,2,4])
  %k2 : f32[1,2,5,4] = aten.permute_copy.default(%k1, [0,2,1,3])
  %k3 : f32[1,2,4,5] = aten.permute_copy.default(%k2, [0,1,3,2])
  %k4 : f32[2,4,5] = aten.view_copy.default(%k3, [2,4,5])
  %v1 : f32[1,5,2,4] = aten.view_copy.default(%v, [1,5,2,4])
  %v2 : f32[1,2,5,4] = aten.permute_copy.default(%v1, [0,2,1,3])
  %v3 : f32[2,5,4] = aten.view_copy.default(%v2, [2,5,4])
  %s : f32[2,5,5] = aten.bmm.default(%q3, %k4)
  %p : f32[2,5,5] = aten._softmax.default(%s, -1, false)
  %o : f32[2,5,4] = aten.bmm.default(%p, %v3)
  %o1 : f32[1,2,5,4] = aten.view_copy.default(%o, [1,2,5,4])
  %o2 : f32[1,5,2,4] = aten.permute_copy.default(%o1, [0,2,1,3])
  %o3 : f32[1,5,8] = aten.view_copy.default(%o2, [1,5,8])
  return (%o3)
})");
    QCOMPARE(text.count("transpose("), 4);
    QCOMPARE(text.count("batch_matrix_multiply("), 2);
    QCOMPARE(text.count("f32[2,5,5] flags 1"), 1);
  }

  // Channels are shuffled on channels last by one transpose of the groups.
  void channelShuffleStaysInChannelsLast() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,4,3,3]
  const %w : f32[4,4,1,1] = "w"
  %a : f32[1,4,3,3] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  %b : f32[1,2,2,3,3] = aten.view_copy.default(%a, [1,2,2,3,3])
  %c : f32[1,2,2,3,3] = aten.permute_copy.default(%b, [0,2,1,3,4])
  %d : f32[1,4,3,3] = aten.view_copy.default(%c, [1,4,3,3])
  %e : f32[1,4,3,3] = aten.convolution.default(%d, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  return (%e)
})");
    QCOMPARE(text.count("transpose("), 3);
    QVERIFY(text.contains("f32[1,3,3,2,2] [0,1,2,4,3]"));
  }

  // A sum of a convolution's result and an input is made in the order in which it leaves.
  void resultsThatLeaveAreMadePlain() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,4,3,3]
  input %y : f32[1,4,3,3]
  const %w : f32[4,4,1,1] = "w"
  %a : f32[1,4,3,3] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  %b : f32[1,4,3,3] = aten.add.Tensor(%a, %y, 1)
  %c : f32[1,4,3,3] = aten.exp.default(%b)
  return (%b, %c)
})");
    QCOMPARE(text.count("transpose("), 2);
  }

  void everySecondElementIsAColumn() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[2,6]
  %a : f32[2,3] = aten.slice_copy.Tensor(%x, 1, 1, 9223372036854775807, 2)
  %b : f32[2,3] = aten.exp.default(%a)
  return (%b)
})"),
             QString(R"(v0: input 0 f32[2,6]
v1 = reshape(v0) f32[2,3,2] [2,3,2]
v2 = slice(v1) f32[2,3,1] offsets [0,0,1] sizes [2,3,1]
v3 = reshape(v2) f32[2,3] [2,3]
v4 = exp(v3) f32[2,3]
output 1: v4
)"));
  }

  void pixelShufflesRunOnChannelsLast() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,8,2,3]
  %a : f32[1,2,4,6] = aten.pixel_shuffle.default(%x, 2)
  %b : f32[1,8,2,3] = aten.pixel_unshuffle.default(%a, 2)
  return (%b)
})");
    QVERIFY(text.contains("transpose(v1) f32[1,2,2,3,2,2] [0,1,4,2,5,3]"));
    QVERIFY(text.contains("f32[1,4,6,2] [1,4,6,2]"));
    QVERIFY(text.contains("f32[1,2,3,2,2,2] [0,1,3,5,2,4]"));
  }

  // One constant in two layouts is two operands; in one layout it is one, however often it is read.
  void constantsFollowTheLayout() {
    const QString text = lowered(R"(graph g {
  input %x : f32[1,2,3,3]
  const %w : f32[2,2,1,1] = "w"
  const %s : f32[2,3,3] = "s"
  %a : f32[1,2,3,3] = aten.mul.Tensor(%x, %s)
  %b : f32[1,2,3,3] = aten.convolution.default(%a, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  %c : f32[1,2,3,3] = aten.mul.Tensor(%b, %s)
  %d : f32[1,2,3,3] = aten.add.Tensor(%c, %s, 1)
  return (%d)
})");
    QVERIFY(text.contains("input 1 f32[2,3,3]"));
    QVERIFY(text.contains("input 2 f32[1,3,3,2]"));
    QVERIFY(!text.contains("input 3"));
  }

  // Weight and bias must be packed at the same time: see ops/matrix.cpp.
  void constantBiasOfAComputedWeightIsAdded() {
    const char* text = R"(graph g {
  input %x : f32[2,3]
  input %w : f32[4,3]
  const %b : f32[4] = "b"
  %a : f32[2,4] = aten.linear.default(%x, %w, %b)
  %c : f32[2,4] = aten.relu.default(%a)
  return (%c)
})";
    QCOMPARE(lowered(text), QString(R"(v0: input 0 f32[2,3]
v1: input 1 f32[4,3]
v3: input 2 f32[4]
v2 = fully_connected(v0, v1, none) f32[2,4]
v4 = add(v2, v3) f32[2,4] range 0..inf
output 3: v4
)"));
  }
};

QTEST_APPLESS_MAIN(TestXnnpackLowering)
#include "tst_xnnpack_lowering.moc"
