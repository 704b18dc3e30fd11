"""What mind-opt says about error codes, the installation and the passes. Each function returns the exit status."""

from __future__ import annotations

from ..ir import MindError
from ..ir.codes import CODES, explain
from ..passes.registry import PASSES, PIPELINES, Level, option_choices, show_option
from ._reporting import EXIT_INPUT, EXIT_OK


def explain_code(code: str) -> int:
    """Print the catalogue's text on a code. E7007 if there is none."""
    code = code.upper() if code[:1] in "eE" else f"E{code}"
    if code not in CODES:
        raise MindError.of(
            "E7007", f"there is no error code {code}", help=f"codes run from {min(CODES)} to {max(CODES)}"
        )
    print(explain(code), end="")
    return EXIT_OK


def show_doctor() -> int:
    """Print which parts of the toolchain are installed; 1 if something is missing."""
    from ..dialects.native_dialect import native_finding
    from ..lowering.gpu.artifacts.ptxas import ptxas_finding
    from ..lowering.interface.doctor import doctor
    from ..runtime.gpu.device import gpu_finding

    findings = [*doctor(), native_finding(), ptxas_finding(), gpu_finding()]
    width = max(len(f.what) for f in findings)
    for f in findings:
        mark = "ok  " if not f.fix else "note" if f.ok else "FAIL"
        print(f"{mark}  {f.what:{width}}  {f.found}" + (f"  ->  {f.fix}" if f.fix else ""))
    return EXIT_OK if all(f.ok for f in findings) else EXIT_INPUT


def list_passes() -> int:
    """Print the passes and named pipelines with their options."""
    for level, title in ((Level.CORE, "Core IR passes"), (Level.MLIR, "MLIR passes of this toolchain")):
        print(f"{title}:")
        for (source, name), info in PASSES.items():
            if source is level:
                print(f"  {name:26}{info.summary}")
                for k, v in info.defaults.items():
                    print(f"      {f'{k}={show_option(v)}':29} {option_choices(info.options[k])}")
        for (source, name), text in PIPELINES.items():
            if source is level:
                print(f"  {name:26}pipeline: {text if len(text) < 90 else text[:87] + '...'}")
    print("Each option is shown with its default and its values: mind-opt FILE -p 'gradient{wrt=0,1 seed=input}'.")
    print("After lower-to-linalg, every pass of mlir-opt can be used as well.")
    return EXIT_OK
