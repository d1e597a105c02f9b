// Weights multiplied by a factor of their output channel, computed while they are written.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::passes {

// Which output channel an element of a weight belongs to: element / inner % channels, plus the group's first channel
// where the weight of a transposed convolution [in, out / groups, ...] has several groups.
struct ChannelMap {
  size_t inner = 1, channels = 1;
  size_t perGroup = 0;  // elements of one group; 0: no groups
  size_t of(size_t element) const {
    const size_t channel = element / inner % channels;
    return perGroup ? channel + element / perGroup * channels : channel;
  }
};

struct ChannelFactors {
  std::function<std::vector<double>()> make;  // one for each output channel; called each time the bytes are produced
  std::string identity;                       // what the factors are made of; see ByteSource::identity()
};

// The weight's elements times their channel's factor, in double precision, rounded to the weight's element type. A
// stream: holds one piece of the weight at a time.
std::shared_ptr<const ByteSource> scaledByChannel(const ir::ConstantPtr& weight, ChannelFactors factors,
                                                  const ChannelMap& map);

}  // namespace exportdeck::passes
