#include "cli/application.h"

int main(int argc, char** argv) {
  return exportdeck::cli::runApplication(argc, argv);
}
