#include "Mind/MindDialect.h"
#include "Mind/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::mind;

namespace {

/// A number for each of two spatial axes; an empty list says the same for both.
SmallVector<int64_t> full(ArrayRef<int64_t> given, int64_t unlessGiven) {
  return given.empty() ? SmallVector<int64_t>(2, unlessGiven) : llvm::to_vector(given);
}

/// Convolutions that Conv2d says too, as Conv's fold in Python: two spatial axes, channels last, no negative padding,
/// no dilation, one group.
struct ConvToConv2d : OpRewritePattern<ConvOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op, PatternRewriter &rewriter) const final {
    auto isOne = [](int64_t n) { return n == 1; };
    SmallVector<int64_t> low = full(op.getLow(), 0), high = full(op.getHigh(), 0);
    bool isPlain = op.getGroups() == 1 && op.getBatchGroups() == 1 && !op.getReverse() &&
                   llvm::all_of(op.getInputDilation(), isOne) && llvm::all_of(op.getFilterDilation(), isOne);
    if (!isPlain || !hasChannelsLast(op.getLayout()) || low.size() != 2 || high.size() != 2 ||
        *llvm::min_element(low) < 0 || *llvm::min_element(high) < 0)
      return failure();
    auto strides = rewriter.getDenseI64ArrayAttr(full(op.getStrides(), 1));
    auto padding = rewriter.getDenseI64ArrayAttr({low[0], high[0], low[1], high[1]});
    auto made = Conv2dOp::create(rewriter, op.getLoc(), op.getType(), op.getInput(), op.getFilter(), strides, padding);
    for (NamedAttribute a : op->getAttrs())
      if (a.getName().strref().contains('.')) // a sharding, a note, no attribute of Conv itself
        made->setAttr(a.getName(), a.getValue());
    rewriter.replaceOp(op, made);
    return success();
  }

private:
  /// True for "NHWC, HWIO -> NHWC" with any two letters for H and W.
  static bool hasChannelsLast(StringRef layout) {
    std::string letters;
    llvm::copy_if(layout, std::back_inserter(letters), [](char c) { return llvm::isAlpha(c); });
    if (letters.size() != 12)
      return false;
    std::string spatial = letters.substr(1, 2);
    return letters == "N" + spatial + "C" + spatial + "IO" + "N" + spatial + "C";
  }
};

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
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvToConv2d>(&getContext());
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> mlir::mind::createMindCanonicalize() { return std::make_unique<MindCanonicalize>(); }
