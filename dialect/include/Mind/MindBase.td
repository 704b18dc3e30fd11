// The dialect `mind`, what its operations take, and what they have in common.

#ifndef MIND_BASE_TD
#define MIND_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mind_Dialect : Dialect {
  let name = "mind";
  let summary = "MIND Core IR: a small tensor language with static shapes";
  let cppNamespace = "::mlir::mind";
  let usePropertiesForAttributes = 0; // so that bytecode and generic text read alike where the dialect is IRDL's
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

def Mind_Tensor : Type<CPred<"::mlir::mind::isCoreTensor($_self)">,
                       "ranked tensor of an element type of Core IR with a static shape and no encoding",
                       "::mlir::RankedTensorType">;

// "Valid", "Same", or zeros at the top, the bottom, the left and the right.
def Mind_PaddingAttr : AnyAttrOf<[StrAttr, DenseI64ArrayAttr]>;

// Between ranks: every rank along the attribute `axis`, of which there are `size`, runs the operation.
def Mind_AcrossRanks : NativeOpTrait<"AcrossRanks"> {
  let cppNamespace = "::mlir::mind";
}

// The types of the results follow from operands and attributes: of a Mind_TypedOp in C++, where the verifier compares;
// of a Mind_Op in Python alone.
class Mind_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mind_Dialect, mnemonic, !listconcat(traits, [NoMemoryEffect])>;

class Mind_TypedOp<string mnemonic, list<Trait> traits = []>
    : Mind_Op<mnemonic, !listconcat(traits, [InferTypeOpAdaptor])>;

#endif // MIND_BASE_TD
