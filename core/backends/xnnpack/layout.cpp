#include "backends/xnnpack/layout.h"

#include <algorithm>
#include <numeric>

#include "base/diagnostic.h"
#include "ir/memory_order.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Dimensions of more than one element, in the order of memory.
Order significant(const ir::Shape& sizes, const Order& order) {
  Order out;
  for (const int64_t dim : order) {
    if (sizes[static_cast<size_t>(dim)] != 1) out.push_back(dim);
  }
  return out;
}

// Neighbouring dimensions of both sides that hold the same elements; dimensions of size 1 belong to none.
struct Group {
  ir::Sizes from, to;
};

std::vector<Group> groupsOf(const ir::Shape& from, const ir::Shape& to) {
  const Order left = significant(from, plainOrder(from.size())), right = significant(to, plainOrder(to.size()));
  std::vector<Group> groups;
  size_t i = 0, j = 0;
  while (i < left.size() && j < right.size()) {
    Group group{{left[i]}, {right[j]}};
    ir::SymInt a = from[static_cast<size_t>(left[i++])], b = to[static_cast<size_t>(right[j++])];
    while (a != b) {
      const std::optional<bool> isLess = ir::lessIfKnown(a, b);
      if (!isLess) return {};
      if (*isLess && i < left.size()) {
        group.from.push_back(left[i]);
        a *= from[static_cast<size_t>(left[i++])];
      } else if (!*isLess && j < right.size()) {
        group.to.push_back(right[j]);
        b *= to[static_cast<size_t>(right[j++])];
      } else {
        return {};
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// Puts the dimensions of size 1, which may lie anywhere, behind the dimension before them.
void addSingles(Order& order, const ir::Shape& sizes) {
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] != 1) continue;
    const auto before = std::find(order.begin(), order.end(), static_cast<int64_t>(dim) - 1);
    order.insert(before == order.end() ? order.begin() : before + 1, static_cast<int64_t>(dim));
  }
}

}  // namespace

Order plainOrder(size_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), int64_t{0});
  return order;
}

Order channelsLastOrder(size_t rank) {
  check(rank == 3 || rank == 4, "channels last is for values of rank 3 or 4");
  return rank == 3 ? Order{0, 2, 1} : Order{0, 2, 3, 1};
}

bool isPlain(const Order& order) {
  return std::is_sorted(order.begin(), order.end());
}

Order orderOutside(const ir::TensorType& type) {
  return ir::isChannelsLast(type) ? channelsLastOrder(4) : plainOrder(type.rank());
}

ir::Shape reordered(const ir::Shape& sizes, const Order& order) {
  ir::Shape out;
  for (const int64_t dim : order) out.push_back(sizes[static_cast<size_t>(dim)]);
  return out;
}

size_t placeOf(int64_t dim, const Order& order) {
  return static_cast<size_t>(std::find(order.begin(), order.end(), dim) - order.begin());
}

ir::Sizes transposeBetween(const Order& from, const Order& to) {
  ir::Sizes out;
  for (const int64_t dim : to) out.push_back(static_cast<int64_t>(placeOf(dim, from)));
  return out;
}

bool sameSequence(const ir::Shape& sizes, const Order& a, const Order& b) {
  return significant(sizes, a) == significant(sizes, b);
}

Order throughPermutation(const Order& order, const ir::Sizes& permutation) {
  Order out;
  for (const int64_t dim : order) out.push_back(static_cast<int64_t>(placeOf(dim, permutation)));
  return out;
}

Order backThroughPermutation(const Order& order, const ir::Sizes& permutation) {
  return reordered(permutation, order);
}

std::optional<Order> throughReshape(const Order& order, const ir::Shape& from, const ir::Shape& to) {
  const std::vector<Group> groups = groupsOf(from, to);
  const Order memory = significant(from, order);
  Order out;
  for (size_t at = 0; at < memory.size();) {
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& candidate) { return candidate.from.front() == memory[at]; });
    if (group == groups.end() || group->from.size() > memory.size() - at) return std::nullopt;
    if (!std::equal(group->from.begin(), group->from.end(), memory.begin() + static_cast<std::ptrdiff_t>(at)))
      return std::nullopt;
    out.insert(out.end(), group->to.begin(), group->to.end());
    at += group->from.size();
  }
  addSingles(out, to);
  return out.size() == to.size() ? std::optional(std::move(out)) : std::nullopt;
}

Order withoutDimension(const Order& order, int64_t dim) {
  Order out;
  for (const int64_t other : order) {
    if (other != dim) out.push_back(other > dim ? other - 1 : other);
  }
  return out;
}

Order withLast(const Order& order, int64_t dim) {
  Order out = order;
  std::rotate(out.begin() + static_cast<std::ptrdiff_t>(placeOf(dim, order)),
              out.begin() + static_cast<std::ptrdiff_t>(placeOf(dim, order)) + 1, out.end());
  return out;
}

}  // namespace exportdeck::backends::xnnpack
