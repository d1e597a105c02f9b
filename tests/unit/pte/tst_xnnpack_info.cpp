// Node kinds of XNNPACK blobs. The blobs are made field by field, by the numbers of the schema, so that this test sees
// the format as the runtime does and not as a generated header has it.
#include <flatbuffers/flatbuffers.h>

#include <QTest>
#include <cstring>

#include "base/text.h"
#include "pte/xnnpack_info.h"

using namespace exportdeck;
using namespace exportdeck::pte;

namespace {

constexpr flatbuffers::voffset_t field(int number) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * number);
}

// A graph of nodes with the given numbers of XNodeUnion, each an empty table.
Bytes graphOf(const std::vector<uint8_t>& kinds, const char* identifier) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<flatbuffers::Table>> nodes;
  for (const uint8_t kind : kinds) {
    const flatbuffers::Offset<void> content(builder.EndTable(builder.StartTable()));
    const auto start = builder.StartTable();
    builder.AddElement<uint8_t>(field(0), kind, 0);
    builder.AddOffset(field(1), content);
    nodes.emplace_back(builder.EndTable(start));
  }
  const auto list = builder.CreateVector(nodes);
  const auto start = builder.StartTable();
  builder.AddOffset(field(1), list);
  builder.Finish(flatbuffers::Offset<flatbuffers::Table>(builder.EndTable(start)), identifier);
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return Bytes(data, data + builder.GetSize());
}

flatbuffers::Offset<flatbuffers::Table> valueOf(flatbuffers::FlatBufferBuilder& builder, uint32_t id,
                                                const std::vector<uint32_t>& sizes) {
  const auto dims = builder.CreateVector(sizes);
  const auto tensor = builder.StartTable();
  builder.AddOffset(field(2), dims);
  builder.AddElement<uint32_t>(field(6), id, 0);
  const flatbuffers::Offset<void> content(builder.EndTable(tensor));
  const auto start = builder.StartTable();
  builder.AddElement<uint8_t>(field(0), 1, 0);  // XNNTensorValue
  builder.AddOffset(field(1), content);
  return flatbuffers::Offset<flatbuffers::Table>(builder.EndTable(start));
}

// One node, whose table has the given numbers in its fields, over values 0, 1, ... of the given shapes.
Bytes graphOfOne(uint8_t kind, const std::vector<std::pair<int, uint32_t>>& fields,
                 const std::vector<std::vector<uint32_t>>& shapes) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<flatbuffers::Table>> values, nodes;
  for (size_t id = 0; id < shapes.size(); ++id)
    values.push_back(valueOf(builder, static_cast<uint32_t>(id), shapes[id]));
  const auto table = builder.StartTable();
  for (const auto& [number, value] : fields) builder.AddElement<uint32_t>(field(number), value, 0);
  const flatbuffers::Offset<void> content(builder.EndTable(table));
  const auto node = builder.StartTable();
  builder.AddElement<uint8_t>(field(0), kind, 0);
  builder.AddOffset(field(1), content);
  nodes.emplace_back(builder.EndTable(node));
  const auto nodeList = builder.CreateVector(nodes), valueList = builder.CreateVector(values);
  const auto start = builder.StartTable();
  builder.AddOffset(field(1), nodeList);
  builder.AddOffset(field(2), valueList);
  builder.Finish(flatbuffers::Offset<flatbuffers::Table>(builder.EndTable(start)), "XN01");
  const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
  return Bytes(data, data + builder.GetSize());
}

Bytes withHeader(const Bytes& graph, size_t constants) {
  const auto put = [](Bytes& bytes, size_t at, auto number) { std::memcpy(bytes.data() + at, &number, sizeof number); };
  Bytes blob(32);
  std::memcpy(blob.data() + 4, "XH00", 4);
  put(blob, 8, uint16_t{30});
  put(blob, 10, uint32_t{32});
  put(blob, 14, static_cast<uint32_t>(graph.size()));
  blob.insert(blob.end(), graph.begin(), graph.end());
  put(blob, 18, static_cast<uint32_t>(blob.size()));
  put(blob, 22, uint64_t{constants});
  blob.resize(blob.size() + constants);
  return blob;
}

struct Described {
  XnnpackInfo info;
  uint64_t read = 0;
};

Described describe(const Bytes& blob) {
  Described out;
  out.info = describeXnnpackBlob(blob.size(), [&](uint64_t offset, uint64_t size) {
    if (offset > blob.size() || size > blob.size() - offset) qFatal("a read outside of the blob");
    out.read += size;
    const auto begin = blob.begin() + static_cast<std::ptrdiff_t>(offset);
    return Bytes(begin, begin + static_cast<std::ptrdiff_t>(size));
  });
  return out;
}

}  // namespace

class XnnpackInfoTest : public QObject {
  Q_OBJECT

 private slots:
  void namesTheNodes() {
    const std::vector<uint8_t> kinds{7, 6, 2, 20, 33, 47, 200};
    const std::string names = "Conv2d Clamp FullyConnected StaticReshape Concatenate3 Cos unknown 200";
    for (const char* identifier : {"XN01", "XN00"}) {
      const Bytes graph = graphOf(kinds, identifier);
      QCOMPARE(describe(graph).info.problem, std::string());
      QCOMPARE(join(describe(graph).info.nodes, " "), names);
      QCOMPARE(join(describe(withHeader(graph, 5000)).info.nodes, " "), names);
      QVERIFY(describe(withHeader(graph, 5000)).read < 1000);  // the constants stay unread
    }
  }

  void countsMultiplyAdds() {
    // Fully connected: 6 rows of 5 results, each a sum over 7.
    const std::vector<std::pair<int, uint32_t>> linear{{0, 0}, {1, 1}, {3, 2}};
    QCOMPARE(describe(graphOfOne(2, linear, {{2, 3, 7}, {5, 7}, {2, 3, 5}})).info.multiplyAdds, uint64_t{6 * 5 * 7});
    // Convolution with windows of 3 by 2 over 4 channels a group, to 5 x 5 places of 8 channels.
    const std::vector<std::pair<int, uint32_t>> conv{{4, 3},  {5, 2},  {10, 4}, {11, 4},
                                                     {12, 2}, {15, 0}, {16, 1}, {18, 2}};
    const Bytes graph = graphOfOne(7, conv, {{1, 7, 6, 8}, {8, 3, 2, 4}, {1, 5, 5, 8}});
    QCOMPARE(describe(graph).info.multiplyAdds, uint64_t{25 * 8 * 6 * 4});
    // The same transposed, from each of the input's elements.
    const Bytes transposed = graphOfOne(39, conv, {{1, 5, 5, 8}, {8, 3, 2, 4}, {1, 7, 6, 8}});
    QCOMPARE(describe(transposed).info.multiplyAdds, uint64_t{25 * 8 * 6 * 4});
    const std::vector<std::pair<int, uint32_t>> product{{0, 0}, {1, 1}, {2, 2}};
    QCOMPARE(describe(graphOfOne(37, product, {{2, 3, 7}, {2, 7, 5}, {2, 3, 5}})).info.multiplyAdds, uint64_t{210});
    // Values that are not there count as one element, and what overflows as the largest number.
    QCOMPARE(describe(graphOfOne(2, {{0, 8}, {1, 9}, {3, 7}}, {})).info.multiplyAdds, uint64_t{1});
    const std::vector<uint32_t> huge{UINT32_MAX, UINT32_MAX, UINT32_MAX};
    QCOMPARE(describe(graphOfOne(37, product, {huge, huge, huge})).info.multiplyAdds, UINT64_MAX);
  }

  void foreignIdentifier() {
    const XnnpackInfo info = describe(graphOf({7}, "XN99")).info;
    QVERIFY(info.nodes.empty());
    QCOMPARE(info.problem, std::string("the text XN01 or XN00 was expected at its byte 4"));
  }

  void truncatedAtEveryByte() {
    const Bytes whole = withHeader(graphOf({7, 6}, "XN01"), 0);
    for (size_t length = 0; length < whole.size(); ++length) {
      const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
      QVERIFY2(!describe(part).info.problem.empty(), concat(length, " bytes").c_str());
    }
  }

  void changedAtEveryByte() {
    Bytes blob = withHeader(graphOf({7, 6}, "XN01"), 16);
    for (size_t at = 0; at < blob.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        blob[at] ^= static_cast<std::byte>(1 << bit);
        const XnnpackInfo info = describe(blob).info;
        QVERIFY(info.problem.empty() || info.nodes.empty());
        blob[at] ^= static_cast<std::byte>(1 << bit);
      }
    }
  }
};

QTEST_APPLESS_MAIN(XnnpackInfoTest)
#include "tst_xnnpack_info.moc"
