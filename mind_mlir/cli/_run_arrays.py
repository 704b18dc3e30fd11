"""Reads the arguments of mind-run from archives, and writes results to archives or prints them."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from ..ir import MindError, Module, TensorType, np
from ..runtime.arguments import random_arguments
from ._files import replaced_file
from ._run_options import Options

Mapped = Callable[[str], "dict[str, Any] | None"]
"""Opens an archive without reading it, if it can."""


def arguments(m: Module, options: Options, mapped: Mapped = lambda path: None) -> dict[str, Any]:
    """Arrays by the names of a module's Inputs, random or of archives. `mapped` opens an archive without reading it."""
    if options.random is not None:
        return random_arguments(m, options.random)
    types = {o.op.name: o.type for o in m.inputs}  # type: ignore[attr-defined]
    return from_archives(types, options.inputs or [], mapped)


def from_archives(
    types: dict[str, TensorType], paths: Sequence[str], mapped: Mapped = lambda path: None
) -> dict[str, Any]:
    """The arrays of the archives at `paths`, by name. E6009 for one that is given twice, and without archives."""
    found: dict[str, Any] = {}
    for path in paths:
        arrays = mapped(path) or _read_arrays(path)
        if twice := found.keys() & arrays.keys():
            raise MindError.of("E6009", f"argument {min(twice)} is given twice, the second time by {path}")
        found |= arrays
    if "arr_0" in found and "arr_0" not in types:
        raise MindError.of("E6009", "the arrays have no names", help="np.savez(path, name=array) names them")
    if types and not paths:
        from ..runtime.arguments import missing_arguments

        names = list(types)
        raise missing_arguments(names, names, list(types.values()), help="give --inputs IN.npz, or --random SEED")
    return found


def _read_arrays(path: str) -> dict[str, Any]:
    try:
        loaded = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            raise MindError.of("E7010", f"{path} is a single array, not an archive", help="np.savez(path, name=array)")
        with loaded as archive:
            if len(set(archive.files)) < len(archive.files):
                twice = next(name for name in archive.files if archive.files.count(name) > 1)
                raise MindError.of("E7010", f"{path} holds {twice} twice")
            arrays = {name: archive[name] for name in archive.files}
    except OSError as why:
        raise MindError.of("E7004", f"cannot read {path}: {why.strerror or why}") from None
    except (MindError, MemoryError):
        raise
    except Exception as why:  # a damaged file raises any error of zipfile, zlib, tokenize or NumPy
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        if "pickle" in reason:  # NumPy takes any other format for a pickle
            reason = "it has another format, or holds Python objects"
        raise MindError.of("E7010", f"{path} is not an .npz archive of arrays: {reason}") from None
    for name, value in arrays.items():
        if not isinstance(value, np.ndarray):
            raise MindError.of("E7010", f"{path} holds {name}, which is no array")
    return arrays


def tell(m: Module, results: Any, options: Options, agreement: str) -> None:
    """Write the outputs to the file of --outputs, or print them if the options ask for it; then print `agreement`."""
    if options.outputs is not None:
        write(options.outputs, results)
    elif options.is_printed:
        show(results, m.output_types, _gradients(m))
    if agreement:
        print(agreement)


def _gradients(m: Module) -> dict[int, str]:
    """Number of an output -> the name of the Input whose gradient it is."""
    names = {g: m[x].op.name for x, g in m.gradients if m[x].opcode == "Input"}  # type: ignore[attr-defined]
    return {n: names[i] for n, i in enumerate(m.outputs) if i in names}


def show(results: Any, types: Sequence[TensorType], gradients: dict[int, str]) -> None:
    """Print results; `gradients` names those that are the gradient of an Input."""
    for n, (t, a) in enumerate(zip(types, results)):
        text = np.array2string(a, separator=", ", threshold=1000)
        print(f"out{n}: {t}{f', gradient of {gradients[n]}' if n in gradients else ''}\n{text}")


def write(path: str, results: Any) -> None:
    """Write results to an archive, as out0, out1, …"""
    archive = io.BytesIO()  # a ZipFile on a file that fails would write to it once more when it is collected
    np.savez(archive, **{f"out{n}": a for n, a in enumerate(results)})
    with replaced_file(path) as f:
        f.write(archive.getbuffer())
