"""mind-translate: a Core IR file in another form."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ..ir import MindError, Module, parse_source, text_pieces
from ..ir.parser import read_bytes
from ..passes import verify
from ..runtime.threads import MOST
from . import _shared_options as shared
from ._diagnostics import EXIT_OK, Format, finish
from ._dot import dot
from ._entry import run_command
from ._files import read_core, write_output
from ._for_gpu import GPU_FORMS, check_gpu_options, write_for_gpu
from ._guard import guarded
from ._numerics import Numerics, Precision
from ._profile import Profile
from ._reproducers import core_reproducer

if TYPE_CHECKING:
    from ..lowering.codegen import Options

app = shared.make_app()


@app.command(context_settings=shared.SETTINGS)
def mind_translate(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Core IR in any of its text forms, or with --from-mind MLIR; - is standard input."
        ),
    ] = "-",
    output: shared.OutputOption = "-",
    to_core: Annotated[
        bool, typer.Option("--to-core", help="Core IR as this toolchain writes it (the default).")
    ] = False,
    from_mind: Annotated[
        bool, typer.Option("--from-mind", help="Read MLIR of the dialect mind, text or bytecode.")
    ] = False,
    to_mind: Annotated[bool, typer.Option("--to-mind", help="MLIR of the dialect mind, in its generic form.")] = False,
    pretty: Annotated[
        bool, typer.Option("--pretty", help="Write the dialect's short form; needs the dialect built in C++.")
    ] = False,
    bytecode: Annotated[
        bool, typer.Option("--emit-bytecode", help="Write the dialect as MLIR bytecode instead of text.")
    ] = False,
    to_mlir: Annotated[bool, typer.Option("--to-mlir", help="MLIR: linalg on tensors.")] = False,
    to_shard: Annotated[
        bool, typer.Option("--to-shard", help="MLIR: linalg on tensors, and shardings in MLIR's dialect shard.")
    ] = False,
    to_llvmir: Annotated[bool, typer.Option("--to-llvmir", help="LLVM IR, by the CPU pipeline.")] = False,
    to_asm: Annotated[bool, typer.Option("--to-asm", help="Assembly.")] = False,
    to_obj: Annotated[bool, typer.Option("--to-obj", help="An object file, to be linked into a program.")] = False,
    to_shared_lib: Annotated[
        bool, typer.Option("--to-shared-lib", help="A shared library; needs a linker or a C compiler.")
    ] = False,
    to_nvvm: Annotated[bool, typer.Option("--to-nvvm", help="MLIR: kernels for a GPU in nvvm, and launches.")] = False,
    to_ptx: Annotated[bool, typer.Option("--to-ptx", help="PTX: kernels for a GPU, as text.")] = False,
    to_cubin: Annotated[bool, typer.Option("--to-cubin", help="Kernels for one chip; needs ptxas.")] = False,
    to_gpu_artifact: Annotated[
        bool, typer.Option("--to-gpu-artifact", help="A folder that runs on a GPU without MLIR; give -o FOLDER.")
    ] = False,
    to_dot: Annotated[
        bool, typer.Option("--to-dot", help="The graph of values, for Graphviz; derivatives in colour.")
    ] = False,
    header: Annotated[
        str | None,
        typer.Option("--header", metavar="FILE", help="Write the C header beside an object file or a shared library."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="What the function is called: the file's own name in an object file or a shared library, else main.",
        ),
    ] = None,
    mcpu: Annotated[
        str,
        typer.Option(
            "--mcpu", "-mcpu", metavar="CPU", help="The CPU, as LLVM calls it: native, generic, x86-64-v3, znver4, …"
        ),
    ] = "native",
    chip: Annotated[
        list[str] | None,
        typer.Option(
            "--chip",
            metavar="CHIP",
            help="The GPU: sm_80 (where none is given), sm_90, sm_90a; several, and all at first, for an artifact.",
        ),
    ] = None,
    numerics: shared.NumericsOption = Numerics.default,
    precision: shared.PrecisionOption = Precision.f32,
    threads: Annotated[
        int,
        typer.Option(
            "--threads", min=1, max=MOST, help="Largest number of threads that the code uses, wherever it runs."
        ),
    ] = 1,
    tuning: Annotated[
        str | None, typer.Option("--tuning", metavar="FILE", help="A tuning file of mind-tune, for this CPU.")
    ] = None,
    canonicalize: Annotated[bool, typer.Option("--canonicalize", help="Canonicalise first.")] = False,
    locations: Annotated[
        bool, typer.Option("--locations", help="Print MLIR with the places that operations come from.")
    ] = False,
    profile: shared.ProfileOption = Profile.core_v1,
    strict_axes: shared.StrictAxes = False,
    strict_positive_dims: shared.StrictDims = False,
    strict_matmul2d: shared.StrictMatmul = False,
    diagnostics: shared.DiagnosticsOption = Format.human,
    version: shared.VersionOption = False,
) -> None:
    """Read FILE, verify it, and write it in another form.

    The forms of Core IR text are told apart by themselves: the written one, the grammar form, and other spellings.
    """
    del version

    def action() -> int:
        forms = {"core": to_core, "mlir": to_mlir, "llvmir": to_llvmir, "asm": to_asm, "obj": to_obj, "dot": to_dot}
        forms |= {"mind": to_mind, "shard": to_shard, "shared-lib": to_shared_lib}
        forms |= {"nvvm": to_nvvm, "ptx": to_ptx, "cubin": to_cubin, "gpu-artifact": to_gpu_artifact}
        chosen = [name for name, on in forms.items() if on] or ["core"]
        if len(chosen) > 1:
            raise MindError.of("E7007", f"one form expected, found --to-{' --to-'.join(chosen)}")
        form = chosen[0]
        binary = "bytecode" if bytecode else _BINARY.get(form) or ("a cubin" if form == "cubin" else None)
        if binary and output == "-" and sys.stdout.isatty():
            raise MindError.of("E7007", f"{binary} is not for a terminal", help="give -o FILE")
        if (pretty or bytecode) and form != "mind":
            raise MindError.of("E7007", "--pretty and --emit-bytecode are for --to-mind")
        if pretty and bytecode:
            raise MindError.of("E7007", "--pretty is for text, --emit-bytecode writes none")
        if header is not None and form not in _BINARY:
            raise MindError.of("E7007", "--header is for --to-obj and --to-shared-lib")
        if header is not None and header == output:
            raise MindError.of("E7007", f"--header and -o both write to {header}")
        if form in ("core", "dot") and name is not None:
            raise MindError.of("E7007", "--name is for forms below Core IR")
        if name is not None:
            from ..lowering.c_header import check_symbol

            check_symbol(name)
        if form in ("core", "dot", "mind") and (mcpu != "native" or numerics is not Numerics.default):
            raise MindError.of("E7007", "--mcpu and --numerics are for forms below Core IR")
        if form in ("core", "dot", "mind", "mlir", "shard") and tuning is not None:
            raise MindError.of("E7007", "--tuning is for LLVM IR and what is made of it")
        check_gpu_options(form, output, chip, mcpu, threads, tuning, precision.value, numerics.value)
        strict = {
            "strict_axes": strict_axes,
            "strict_positive_dims": strict_positive_dims,
            "strict_matmul2d": strict_matmul2d,
        }

        def write(m: Module) -> int:
            if canonicalize:
                from ..passes import canonicalize as canonical

                m = canonical(m)
            match form:
                case "core":
                    write_output(output, text_pieces(m))
                case "dot":
                    write_output(output, [dot(m)])
                case "mind":
                    write_output(output, _dialect(m, "main" if name is None else name, pretty, bytecode, locations))
                case _:
                    write_below_core(m)
            return EXIT_OK

        def write_below_core(m: Module) -> None:
            from ..lowering.c_header import c_header, check_name, name_from
            from ..lowering.codegen import Options

            if form in GPU_FORMS:
                called = name_from(file) if name is None else name
                write_for_gpu(m, form, output, chip, numerics.value, precision.value, called, locations)
                return
            called = (name_from(file) if form in _BINARY else "main") if name is None else name
            if form in _BINARY:
                check_name(called)
            options = Options(called, mcpu, numerics.value, threads, tuning)
            write_output(output, _below_core(m, form, output, locations, options))
            if header is not None:
                write_output(header, [c_header(m, called)])

        command = f"mind-translate %s --to-{form}"
        if from_mind:
            file_name, data = read_bytes(file)

            def translate() -> int:
                from ..dialects.text import read_dialect

                return write(verify(read_dialect(file_name, data), profile=profile.value, **strict))

            return guarded(translate, diagnostics, lambda: (f"// {command} --from-mind\n", ".mlir"))
        m = verify(parse_source(read_core(file, "mind-translate")), profile=profile.value, **strict)
        if form in ("core", "dot"):
            return write(m)
        return guarded(lambda: write(m), diagnostics, lambda: (core_reproducer(m, command), ".mindir"))

    finish(action, diagnostics)


_BINARY = {"obj": "an object file", "shared-lib": "a shared library"}
"""Forms that programs are linked with, and what they are called."""


def _dialect(m: Module, name: str, pretty: bool, bytecode: bool, locations: bool) -> list[str] | bytes:
    """The module in the dialect `mind`, as text or bytecode."""
    from ..dialects.text import dialect_bytecode, dialect_text

    if bytecode:
        return dialect_bytecode(m, name=name)
    return [dialect_text(m, "native" if pretty else "irdl", name=name, locations=locations)]


def _below_core(m: Module, form: str, output: str, locations: bool, options: Options) -> list[str] | bytes:
    """The module as MLIR text, with shardings or without, LLVM IR, assembly, an object file or a shared library."""
    from ..lowering.codegen import llvm_ir, machine_code, shared_library

    match form:
        case "mlir":
            from ..lowering.driver import mlir_text
            from ..lowering.to_linalg import to_linalg

            lowered = to_linalg(m, name=options.name, numerics=options.numerics, threads=options.threads)
            return [mlir_text(lowered, locations)]
        case "shard":
            from ..lowering.driver import mlir_text
            from ..lowering.to_shard import to_shard

            lowered = to_shard(m, name=options.name, numerics=options.numerics, threads=options.threads)
            return [mlir_text(lowered, locations)]
        case "llvmir":
            return llvm_ir(m, options)
        case "shared-lib":
            return shared_library(m, output, options)
    return machine_code(m, "asm" if form == "asm" else "obj", options)


def main() -> None:
    """Run the command."""
    run_command(app, "mind-translate")


if __name__ == "__main__":
    main()
