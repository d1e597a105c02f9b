// latency CASE_DIR ROUNDS A.pte B.pte: runs both programs in turn on the case's first inputs, and prints the median and
// the fastest time of each in milliseconds as JSON, and whether each matches the case. In turn, so that a noisy machine
// is noisy for both.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "runtime/program.h"

namespace {

using namespace exportdeck;

struct Contestant {
  std::unique_ptr<runtime::LoadedProgram> program;
  std::vector<double> milliseconds;
  runtime::Comparison comparison;
};

nlohmann::json summary(Contestant& contestant) {
  std::sort(contestant.milliseconds.begin(), contestant.milliseconds.end());
  return {{"median_ms", contestant.milliseconds[contestant.milliseconds.size() / 2]},
          {"fastest_ms", contestant.milliseconds.front()},
          {"planned_bytes", contestant.program->plannedBytes()},
          {"match", contestant.comparison.match},
          {"max_abs_error", contestant.comparison.maxAbsoluteError}};
}

void measure(const std::string& folder, int rounds, std::vector<Contestant>& contestants) {
  const runtime::Case testCase = runtime::readCase(folder);
  const runtime::CaseCall& call = testCase.calls.front();
  for (Contestant& contestant : contestants) {
    contestant.comparison = runtime::compare(contestant.program->run(call.inputs), call.outputs, testCase.tolerance);
  }
  for (int round = 0; round < rounds; ++round) {
    for (Contestant& contestant : contestants) {
      const auto started = std::chrono::steady_clock::now();
      contestant.program->run(call.inputs);
      const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - started;
      contestant.milliseconds.push_back(taken.count());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: latency CASE_DIR ROUNDS A.pte B.pte\n";
    return 2;
  }
  try {
    std::vector<Contestant> contestants(2);
    for (size_t i = 0; i < contestants.size(); ++i) contestants[i].program = runtime::LoadedProgram::load(argv[3 + i]);
    measure(argv[1], std::max(1, std::atoi(argv[2])), contestants);
    std::cout << nlohmann::json{{"a", summary(contestants[0])}, {"b", summary(contestants[1])}}.dump() << std::endl;
    return 0;
  } catch (const ExportError& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.exitCode());
  }
}
