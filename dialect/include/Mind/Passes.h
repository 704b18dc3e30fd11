// Passes over the dialect `mind`.

#ifndef MIND_PASSES_H
#define MIND_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::mind {

/// `convert-mind-to-linalg`: every operation to linalg and tensor, on any operation that holds some.
std::unique_ptr<Pass> createConvertMindToLinalg();

/// `mind-canonicalize`: attributes in normal form, and folds that change no bit.
std::unique_ptr<Pass> createMindCanonicalize();

/// Makes the passes known to pass pipelines, by name; may be called more than once.  False if another library of this
/// process has registered passes of these names: those stay.
bool registerMindPasses();

} // namespace mlir::mind

#endif // MIND_PASSES_H
