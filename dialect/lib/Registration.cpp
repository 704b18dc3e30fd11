// What programs call to have the dialect and its passes.  MLIR ends the process when two libraries register the same
// name; here the first one stays.

#include "Mind/MindDialect.h"
#include "Mind/Passes.h"

using namespace mlir;

void mlir::mind::registerMindDialect(DialectRegistry &registry) {
  if (!registry.getDialectAllocator(MindDialect::getDialectNamespace()))
    registry.insert<MindDialect>();
}

bool mlir::mind::registerMindPasses() {
  static const bool ours = [] {
    if (PassInfo::lookup("convert-mind-to-linalg"))
      return false;
    registerPass(createConvertMindToLinalg);
    registerPass(createMindCanonicalize);
    return true;
  }();
  return ours;
}
