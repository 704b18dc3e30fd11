#include "Rules.h"

using namespace mlir;
using namespace mlir::mind;

// Temporary: every rule refuses until it is written.
FailureOr<RankedTensorType> mlir::mind::inferType(AddOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(BroadcastOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ConstF32Op::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ConstF64Op::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ConstI64Op::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ConstTensorOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(Conv2dOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(Conv2dBackwardFilterOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(Conv2dBackwardInputOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(DivOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(DotOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ExpOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ExpandDimsOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(GatherOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(GreaterOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(IndexOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(LogOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(MatMulOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(MeanOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(MulOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(NegOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(PadOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ReciprocalOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ReluOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ReshapeOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(ScatterAddOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(SelectOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(SliceOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(SqueezeOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(SubOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(SumOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
FailureOr<RankedTensorType> mlir::mind::inferType(TransposeOp::Adaptor op, Refuse refuse) { return refuse("E0000", "not written"); }
