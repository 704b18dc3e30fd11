// MLIR's language server, with the dialect `mind`.

#include "Mind/MindDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  mind::registerMindDialect(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
