#include "Mind/MindDialect.h"
#include "Mind/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::mind;

namespace {

struct MindCanonicalize : PassWrapper<MindCanonicalize, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MindCanonicalize)

  StringRef getArgument() const final { return "mind-canonicalize"; }
  StringRef getDescription() const final {
    return "Bring mind operations into normal form: attributes, and folds that change no bit";
  }

  // Operations of other dialects stay as they are.  The dialect is there where an operation of it is; loading it here
  // would take away the names of those that were read without it.
  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && isa_and_present<MindDialect>(op->getDialect()))
        ops.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, RewritePatternSet(&getContext()), config)))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> mlir::mind::createMindCanonicalize() { return std::make_unique<MindCanonicalize>(); }
