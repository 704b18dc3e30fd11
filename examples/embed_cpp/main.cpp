// A C++ program of another project that takes the dialect `mind` in: it parses a module, adds an operation whose type it
// has inferred, converts everything to linalg, and prints each stage.

#include "Mind/MindDialect.h"
#include "Mind/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static constexpr char program[] = R"mlir(
func.func @layer(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = mind.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = mind.relu %0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
)mlir";

/// Lets the function return the sum of its result over the last axis, too. No type is written here: the dialect infers it.
static LogicalResult addRowSums(func::FuncOp function) {
  auto exit = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  OpBuilder builder(exit);
  auto sum = mind::SumOp::create(builder, exit.getLoc(), exit.getOperand(0), builder.getDenseI64ArrayAttr({-1}),
                                 builder.getBoolAttr(false));
  SmallVector<Value> results(exit.getOperands());
  results.push_back(sum.getResult());
  func::ReturnOp::create(builder, exit.getLoc(), results);
  exit.erase();
  function.setType(builder.getFunctionType(function.getArgumentTypes(), ValueRange(results).getTypes()));
  return verify(function);
}

int main() {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, mind::MindDialect>();

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  if (!module)
    return 1;
  auto function = module->lookupSymbol<func::FuncOp>("layer");
  if (failed(addRowSums(function)))
    return 1;
  llvm::outs() << "// With the operation added\n" << *module << "\n";

  PassManager passes(&context);
  passes.addPass(mind::createMindCanonicalize());
  passes.addPass(mind::createConvertMindToLinalg());
  if (failed(passes.run(*module)))
    return 1;
  llvm::outs() << "// Converted\n" << *module << "\n";

  // A broken rule is an error of the verifier, with Core IR's code.
  OwningOpRef<ModuleOp> broken = parseSourceString<ModuleOp>(
      "func.func @f(%x: tensor<4x3xf32>) {\n"
      "  %0 = mind.matmul %x, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>\n"
      "  return\n"
      "}\n",
      &context);
  return broken ? 1 : 0;
}
