#include "Rules.h"

using namespace mlir;
using namespace mlir::mind;

OpFoldResult mlir::mind::foldOp(AddOp, AddOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(BroadcastOp, BroadcastOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ConstF32Op, ConstF32Op::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ConstF64Op, ConstF64Op::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ConstI64Op, ConstI64Op::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ConstTensorOp, ConstTensorOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(Conv2dOp, Conv2dOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(Conv2dBackwardFilterOp, Conv2dBackwardFilterOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(Conv2dBackwardInputOp, Conv2dBackwardInputOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(DivOp, DivOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(DotOp, DotOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ExpOp, ExpOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ExpandDimsOp, ExpandDimsOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(GatherOp, GatherOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(GreaterOp, GreaterOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(IndexOp, IndexOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(LogOp, LogOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(MatMulOp, MatMulOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(MeanOp, MeanOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(MulOp, MulOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(NegOp, NegOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(PadOp, PadOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ReciprocalOp, ReciprocalOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ReluOp, ReluOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ReshapeOp, ReshapeOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(ScatterAddOp, ScatterAddOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(SelectOp, SelectOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(SliceOp, SliceOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(SqueezeOp, SqueezeOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(SubOp, SubOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(SumOp, SumOp::FoldAdaptor) { return {}; }
OpFoldResult mlir::mind::foldOp(TransposeOp, TransposeOp::FoldAdaptor) { return {}; }
