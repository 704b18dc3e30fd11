// For `mlir-opt --load-dialect-plugin=MindPlugin.so --load-pass-plugin=MindPlugin.so`.

#include "Mind/MindDialect.h"
#include "Mind/Passes.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

extern "C" __attribute__((visibility("default"))) DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mind", LLVM_VERSION_STRING, [](DialectRegistry *registry) {
            mind::registerMindDialect(*registry);
            mind::registerMindPasses();
          }};
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mind-passes", LLVM_VERSION_STRING, [] { mind::registerMindPasses(); }};
}
