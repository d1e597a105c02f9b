#include <QtTest>

#include "ops/schema.h"
#include "ops/schema_parser.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::ops;

namespace {

template <typename T>
const T& fallbackOf(const OpSchema& schema, std::string_view name) {
  return std::get<T>(schema.args.at(static_cast<size_t>(schema.argIndex(name))).fallback.value());
}

ArgKind kindOf(const OpSchema& schema, std::string_view name) {
  return schema.args.at(static_cast<size_t>(schema.argIndex(name))).kind;
}

// The message of the refusal, or "bound".
std::string bindingError(const char* op, std::vector<NamedArgument> given) {
  const auto error = tests::errorOf([&] { return bindArguments(*findSchema(op), std::move(given)); });
  return error ? error->message : "bound";
}

}  // namespace

class TestSchema : public QObject {
  Q_OBJECT
 private slots:
  void everySchemaParses();
  void kindsAndFlags();
  void defaults();
  void inPlaceAndViews();
  void results();
  void namesOfOperators();
  void textThatIsNoSchema();
  void kernelOf_data();
  void kernelOf();
  void outNames();
  void noKernel();
  void binds();
  void bindsInTheFormOfTheKind();
  void refusesWhatDoesNotFit();
};

void TestSchema::everySchemaParses() {
  const std::vector<std::string> all = allOperators();
  QVERIFY(all.size() > 1500);
  for (const std::string& name : all) {
    const OpSchema* schema = findSchema(name);
    QVERIFY2(schema, name.c_str());
    QCOMPARE(schema->name, name);
  }
}

void TestSchema::kindsAndFlags() {
  const OpSchema add = parseSchema("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  QCOMPARE(add.name, std::string("aten.add.Tensor"));
  QCOMPARE(add.args.size(), size_t(3));
  QVERIFY(!add.args[1].keywordOnly);
  QVERIFY(add.args[2].keywordOnly);
  QCOMPARE(kindOf(add, "alpha"), ArgKind::Scalar);

  const OpSchema* index = findSchema("aten.index.Tensor");
  QCOMPARE(kindOf(*index, "indices"), ArgKind::OptionalTensorList);
  const OpSchema* vec = findSchema("aten.upsample_bilinear2d.vec");
  QCOMPARE(kindOf(*vec, "output_size"), ArgKind::SymIntList);
  QVERIFY(vec->args[1].optional);
  QCOMPARE(kindOf(*vec, "scale_factors"), ArgKind::FloatList);
  const OpSchema* pool = findSchema("aten.max_pool2d.default");
  QCOMPARE(pool->args[1].listSize, 2);
  QCOMPARE(kindOf(*findSchema("aten.convolution_backward.out"), "output_mask"), ArgKind::BoolList);
  const OpSchema* cast = findSchema("aten._to_copy.default");
  QCOMPARE(kindOf(*cast, "dtype"), ArgKind::DType);
  QCOMPARE(kindOf(*cast, "layout"), ArgKind::Layout);
  QCOMPARE(kindOf(*cast, "device"), ArgKind::Device);
  QCOMPARE(kindOf(*cast, "memory_format"), ArgKind::MemoryFormat);
  QCOMPARE(kindOf(*findSchema("aten.cat.default"), "tensors"), ArgKind::TensorList);
  QCOMPARE(findSchema("aten.cat.default")->argIndex("nothing"), -1);
}

void TestSchema::defaults() {
  const OpSchema* pool = findSchema("aten.max_pool2d.default");
  QCOMPARE(fallbackOf<ir::IntList>(*pool, "stride"), ir::IntList());
  QCOMPARE(fallbackOf<ir::IntList>(*pool, "dilation"), ir::IntList({int64_t(1), int64_t(1)}));
  QCOMPARE(fallbackOf<bool>(*pool, "ceil_mode"), false);
  QCOMPARE(fallbackOf<ir::IntList>(*findSchema("aten.conv2d.default"), "stride"),
           ir::IntList({int64_t(1), int64_t(1)}));
  QCOMPARE(fallbackOf<std::string>(*findSchema("aten.gelu.default"), "approximate"), std::string("none"));
  QCOMPARE(fallbackOf<int64_t>(*findSchema("aten.add.Tensor"), "alpha"), int64_t(1));
  QCOMPARE(fallbackOf<double>(*findSchema("aten.layer_norm.default"), "eps"), 1e-5);
  QCOMPARE(fallbackOf<double>(*findSchema("aten.scaled_dot_product_attention.default"), "dropout_p"), 0.0);
  QCOMPARE(fallbackOf<ir::None>(*findSchema("aten.linear.default"), "bias"), ir::None());
  QCOMPARE(fallbackOf<ir::MemoryFormat>(*findSchema("aten.contiguous.default"), "memory_format"),
           ir::MemoryFormat::Contiguous);
  QCOMPARE(fallbackOf<int64_t>(*findSchema("aten.embedding.default"), "padding_idx"), int64_t(-1));
  QCOMPARE(fallbackOf<std::string>(*findSchema("aten.conv2d.padding"), "padding"), std::string("valid"));
  QCOMPARE(fallbackOf<ir::IntList>(*findSchema("aten.rot90.default"), "dims"), ir::IntList({int64_t(0), int64_t(1)}));
}

void TestSchema::inPlaceAndViews() {
  const OpSchema* add = findSchema("aten.add_.Tensor");
  QVERIFY(add->isInPlace);
  QVERIFY(!add->isView);
  QVERIFY(findSchema("aten.view.default")->isView);
  QVERIFY(findSchema("aten.split.Tensor")->isView);
  QVERIFY(findSchema("aten.view.default")->args[0].aliased);
  QVERIFY(!findSchema("aten.view_copy.default")->isView);
  QVERIFY(!findSchema("aten.add.out")->isInPlace);
  const OpSchema* norm = findSchema("aten._native_batch_norm_legit.default");
  QVERIFY(norm->args[static_cast<size_t>(norm->argIndex("running_mean"))].written);
}

void TestSchema::results() {
  QCOMPARE(findSchema("aten.native_layer_norm.default")->results.size(), size_t(3));
  QCOMPARE(findSchema("aten.split_copy.Tensor")->results, std::vector<ArgKind>{ArgKind::TensorList});
  QCOMPARE(findSchema("aten.max.dim")->results, (std::vector<ArgKind>{ArgKind::Tensor, ArgKind::Tensor}));
  QCOMPARE(findSchema("aten.sym_size.int")->results, std::vector<ArgKind>{ArgKind::SymInt});
  QVERIFY(findSchema("aten._assert_tensor_metadata.default")->results.empty());
}

void TestSchema::namesOfOperators() {
  QCOMPARE(operatorName("aten::relu"), std::string("aten.relu.default"));
  QCOMPARE(operatorName("aten::add.Tensor"), std::string("aten.add.Tensor"));
  QCOMPARE(registryName("aten.relu.default"), std::string("aten::relu"));
  QCOMPARE(registryName("aten.add.Tensor"), std::string("aten::add.Tensor"));
  QVERIFY(!findSchema("aten.nothing_like_it.default"));
  QVERIFY(!findSchema("relu"));
}

void TestSchema::textThatIsNoSchema() {
  for (const char* text :
       {"", "aten::x", "aten::x(Tensor", "aten::x(Tensor self)", "aten::x(Tensor self, int a=b) -> Tensor"}) {
    QCOMPARE(tests::errorCode([&] { return parseSchema(text); }), std::string("internal.fault"));
  }
}

void TestSchema::kernelOf_data() {
  QTest::addColumn<QString>("op");
  QTest::addColumn<QString>("kernel");
  const std::pair<const char*, const char*> rows[] = {
      {"aten.add.Tensor", "aten::add.out"},
      {"aten.add.Scalar", "aten::add.Scalar_out"},
      {"aten.max.dim", "aten::max.dim_max"},
      {"aten.max.default", "aten::max.unary_out"},
      {"aten.any.dim", "aten::any.out"},
      {"aten.any.default", "aten::any.all_out"},
      {"aten.sum.dim_IntList", "aten::sum.IntList_out"},
      {"aten.mean.dim", "aten::mean.out"},
      {"aten.topk.default", "aten::topk.values"},
      {"aten.view_copy.default", "aten::view_copy.out"},
      {"aten.empty.memory_format", "aten::empty.out"},
      {"aten.arange.start_step", "aten::arange.start_out"},
      {"aten.split_with_sizes_copy.default", "aten::split_with_sizes_copy.out"},
      {"aten.div.Tensor_mode", "aten::div.out_mode"},
      {"aten.where.self", "aten::where.self_out"},
      {"aten.full.default", "aten::full.out"},
      {"aten.copy_.default", "aten::copy_."},
      {"aten.index_put_.default", "aten::index_put_."},
      {"aten.sym_size.int", "aten::sym_size.int"},
      {"dim_order_ops._to_dim_order_copy.default", "dim_order_ops::_to_dim_order_copy.out"},
      {"quantized_decomposed.quantize_per_tensor.default", "quantized_decomposed::quantize_per_tensor.out"},
      {"executorch_prim.add.Scalar", "executorch_prim::add.Scalar"},
      {"aten.add.out", "aten::add.out"},
  };
  for (const auto& [op, kernel] : rows) QTest::newRow(op) << op << kernel;
}

void TestSchema::kernelOf() {
  QFETCH(QString, op);
  QFETCH(QString, kernel);
  const KernelInfo* info = kernelFor(op.toStdString());
  QVERIFY(info);
  QCOMPARE(QString::fromStdString(info->name + "." + info->overload), kernel);
  QVERIFY(info->schema);
}

void TestSchema::outNames() {
  QCOMPARE(kernelFor("aten.max.dim")->outNames, (std::vector<std::string>{"max", "max_values"}));
  QCOMPARE(kernelFor("aten.split_copy.Tensor")->outNames, std::vector<std::string>{"out"});
  QVERIFY(kernelFor("aten.copy_.default")->outNames.empty());
  QCOMPARE(kernelFor("quantized_decomposed.quantize_per_tensor.default")->group, std::string("quantized"));
}

void TestSchema::noKernel() {
  for (const char* op : {"aten.sort.default", "aten.avg_pool3d.default", "aten.add_.Tensor", "aten.view.default",
                         "aten.silu.default", "aten.squeeze_copy.default", "aten.scatter_reduce.two", "no.such.op"}) {
    QVERIFY2(!kernelFor(op), op);
  }
}

void TestSchema::binds() {
  const OpSchema* gelu = findSchema("aten.gelu.default");
  const auto defaulted = bindArguments(*gelu, {{"self", 1.0}});
  QCOMPARE(defaulted.size(), size_t(2));
  QCOMPARE(std::get<std::string>(defaulted[1]), std::string("none"));
  const auto named = bindArguments(*gelu, {{"approximate", std::string("tanh")}, {"self", 1.0}});
  QCOMPARE(std::get<std::string>(named[1]), std::string("tanh"));
  QCOMPARE(std::get<double>(named[0]), 1.0);
}

void TestSchema::bindsInTheFormOfTheKind() {
  const auto pool =
      bindArguments(*findSchema("aten.max_pool2d.default"), {{"", 1.0}, {"", int64_t(3)}, {"", ir::ValueList{}}});
  QCOMPARE(std::get<ir::IntList>(pool[1]), ir::IntList({int64_t(3), int64_t(3)}));
  QCOMPARE(std::get<ir::IntList>(pool[2]), ir::IntList());
  const auto relu =
      bindArguments(*findSchema("aten.leaky_relu.default"), {{"self", 1.0}, {"negative_slope", int64_t(2)}});
  QVERIFY(std::holds_alternative<int64_t>(relu[1]));  // a Scalar keeps what it is
  const auto norm = bindArguments(*findSchema("aten.group_norm.default"),
                                  {{"input", 1.0}, {"num_groups", int64_t(1)}, {"eps", int64_t(1)}});
  QCOMPARE(std::get<double>(norm[4]), 1.0);
  const auto vec = bindArguments(
      *findSchema("aten.upsample_nearest2d.vec"),
      {{"input", 1.0}, {"output_size", ir::None{}}, {"scale_factors", ir::IntList{int64_t(2), int64_t(2)}}});
  QCOMPARE(std::get<ir::FloatList>(vec[2]), (ir::FloatList{2.0, 2.0}));
}

void TestSchema::refusesWhatDoesNotFit() {
  QCOMPARE(bindingError("aten.gelu.default", {{"self", 1.0}, {"aproximate", std::string("tanh")}}),
           std::string("aten.gelu.default has no argument `aproximate`; the nearest is `approximate`"));
  QCOMPARE(bindingError("aten.gelu.default", {}), std::string("aten.gelu.default lacks its argument `self`"));
  QCOMPARE(bindingError("aten.gelu.default", {{"", 1.0}, {"self", 1.0}}),
           std::string("aten.gelu.default is given its argument `self` twice"));
  QCOMPARE(bindingError("aten.relu.default", {{"", 1.0}, {"", 1.0}}),
           std::string("aten.relu.default takes 1 arguments, but argument 2 is given"));
  QCOMPARE(bindingError("aten.permute_copy.default", {{"", 1.0}, {"", std::string("NCHW")}}),
           std::string("the argument `dims` of aten.permute_copy.default has a value of the wrong kind"));
}

QTEST_APPLESS_MAIN(TestSchema)
#include "tst_schema.moc"
