"""mind-translate: a Core IR file in another form."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..ir import MindError, Module, text_pieces
from . import _common as common
from ._common import EXIT_OK, Format, Profile
from ._dot import dot
from ._files import read_core, write_output

app = common.make_app()


@app.command(context_settings=common.SETTINGS)
def mind_translate(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Core IR in any of its text forms; - is standard input.")
    ] = "-",
    output: common.OutputOption = "-",
    to_core: Annotated[
        bool, typer.Option("--to-core", help="Core IR as this toolchain writes it (the default).")
    ] = False,
    to_mlir: Annotated[bool, typer.Option("--to-mlir", help="MLIR: linalg on tensors.")] = False,
    to_llvmir: Annotated[bool, typer.Option("--to-llvmir", help="LLVM IR, by the CPU pipeline.")] = False,
    to_asm: Annotated[bool, typer.Option("--to-asm", help="Assembly for this machine.")] = False,
    to_obj: Annotated[bool, typer.Option("--to-obj", help="An object file for this machine.")] = False,
    to_dot: Annotated[
        bool, typer.Option("--to-dot", help="The graph of values, for Graphviz; derivatives in colour.")
    ] = False,
    canonicalize: Annotated[bool, typer.Option("--canonicalize", help="Canonicalise first.")] = False,
    locations: Annotated[
        bool, typer.Option("--locations", help="Print MLIR with the places that operations come from.")
    ] = False,
    profile: common.ProfileOption = Profile.core_v1,
    strict_axes: common.StrictAxes = False,
    strict_positive_dims: common.StrictDims = False,
    strict_matmul2d: common.StrictMatmul = False,
    diagnostics: common.DiagnosticsOption = Format.human,
    version: common.VersionOption = False,
) -> None:
    """Read FILE, verify it, and write it in another form.

    The forms of Core IR text are told apart by themselves: the written one, the grammar form, and other spellings.
    """
    del version

    def action() -> int:
        forms = {"core": to_core, "mlir": to_mlir, "llvmir": to_llvmir, "asm": to_asm, "obj": to_obj, "dot": to_dot}
        chosen = [name for name, on in forms.items() if on] or ["core"]
        if len(chosen) > 1:
            raise MindError.of("E7007", f"one form expected, found --to-{' --to-'.join(chosen)}")
        if to_obj and output == "-" and sys.stdout.isatty():
            raise MindError.of("E7007", "an object file is not for a terminal", help="give -o FILE")
        source = read_core(file, "mind-translate")
        m = common.verified(
            source,
            profile,
            strict_axes=strict_axes,
            strict_positive_dims=strict_positive_dims,
            strict_matmul2d=strict_matmul2d,
        )
        if canonicalize:
            from ..passes import canonicalize as run

            m = run(m)
        match chosen[0]:
            case "core":
                write_output(output, text_pieces(m))
                return EXIT_OK
            case "dot":
                write_output(output, [dot(m)])
                return EXIT_OK
        command = f"mind-translate %s --to-{chosen[0]}"
        return common.guarded(
            lambda: _through_mlir(m, chosen[0], output, locations),
            diagnostics,
            lambda: (common.core_reproducer(m, command), ".mindir"),
        )

    common.finish(action, diagnostics)


def _through_mlir(m: Module, form: str, output: str, locations: bool) -> int:
    from .. import lowering  # noqa: F401  registers its passes
    from ..lowering.codegen import llvm_ir, machine_code
    from ..lowering.driver import mlir_text
    from ..lowering.to_linalg import to_linalg

    if form == "mlir":
        write_output(output, [mlir_text(to_linalg(m), locations)])
    elif form == "llvmir":
        write_output(output, llvm_ir(m))
    else:
        write_output(output, machine_code(m, "asm" if form == "asm" else "obj"))
    return EXIT_OK


def main() -> None:
    """Run the command."""
    common.run(app, "mind-translate")


if __name__ == "__main__":
    main()
