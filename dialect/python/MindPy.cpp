// For MLIR's Python bindings: mind_mlir/dialects/native_dialect.py loads it and calls these.

#include "Mind/MindDialect.h"
#include "Mind/Passes.h"
#include "mlir/CAPI/IR.h"

#define MIND_EXPORT extern "C" __attribute__((visibility("default")))

/// Adds the dialect to a registry.
MIND_EXPORT void mindRegisterDialect(MlirDialectRegistry registry) {
  mlir::mind::registerMindDialect(*unwrap(registry));
}

/// Adds the passes to those of the process.  False if another library has added passes of these names.
MIND_EXPORT bool mindRegisterPasses() { return mlir::mind::registerMindPasses(); }
