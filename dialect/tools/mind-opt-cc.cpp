// mlir-opt with the dialect `mind` and its passes.

#include "Mind/MindDialect.h"
#include "Mind/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  mind::registerMindDialect(registry);
  mind::registerMindPasses();
  return asMainReturnCode(MlirOptMain(argc, argv, "MLIR with the dialect mind\n", registry));
}
