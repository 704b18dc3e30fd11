"""Puts a Core IR module into an MLIR program of another project, and calls it there.

    python examples/embed.py

The other program has a function of its own, `@twice_the_layer`. The Core IR module becomes `@layer` beside it; then
MLIR's passes inline and simplify the two together.
"""

from pathlib import Path

from mlir import ir
from mlir.passmanager import PassManager

import mind_mlir as mind

PROGRAM = """
func.func private @layer(%x: tensor<3x2xf32>) -> tensor<3x4xf32>

func.func @twice_the_layer(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %y = call @layer(%x) : (tensor<3x2xf32>) -> tensor<3x4xf32>
  %empty = tensor.empty() : tensor<3x4xf32>
  %sum = linalg.add ins(%y, %y : tensor<3x4xf32>, tensor<3x4xf32>) outs(%empty : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %sum : tensor<3x4xf32>
}
"""


def main() -> None:
    core = mind.parse(Path(__file__).resolve().parent / "mlp_layer.mindir")
    with ir.Context() as context, ir.Location.unknown():
        program = ir.Module.parse(PROGRAM)
        declaration, caller = program.body.operations

        lowered = mind.to_mlir(core, context, name="layer")  # in the context of the program
        (layer,) = lowered.body.operations
        layer.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
        layer.move_before(caller)
        declaration.erase()
        assert program.operation.verify(), "the call and the function agree"
        print("// The program with the Core IR module beside it")
        print(program)

        PassManager.parse("builtin.module(inline,canonicalize,cse,symbol-dce)").run(program.operation)
        print("// Inlined and simplified")
        print(program)


if __name__ == "__main__":
    main()
