"""Writes the C header of a compiled module: its prototype, extents as macros, and the meanings of the status."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from ...ir import DType, MindError, Module, TensorType
from ...passes.preflight import checks_indices
from .rank_table import FUNCTIONS, REDUCTIONS, axis_entry, entry, needs_ranks, set_ranks_name, table_size

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        alignas alignof and asm auto bool break case catch char class compl const constexpr continue default delete do
        double else enum explicit export extern false float for friend goto if inline int int32_t int64_t long main
        mutable namespace new noexcept not nullptr operator or private protected public register restrict return short
        signed sizeof static struct switch template this throw true try typedef typeid typename typeof union unsigned
        using virtual void volatile while xor
        """,
    )
)
"""Names that mean something else in C, in C++ or in the header itself."""


_HEADER = """\
/* Made by mind-translate.
 *
 * Arrays are C-ordered and aligned as their elements are. No two overlap, and the caller allocates all of them.
 * Arguments are only read, outputs are written in full. An array without elements may be NULL. Several threads may
 * call the function at once.
 */
#ifndef {0}_H
#define {0}_H

{bools}#include <stdint.h>

#ifdef __cplusplus
#define {0}_RESTRICT __restrict
extern "C" {{
#else
#define {0}_RESTRICT restrict
#endif

/* Elements of each array, and its extents. */
{extents}

/* What the function returns. If it is not OK, the contents of the outputs are undefined. */
#define {0}_OK 0
{statuses}
int64_t {name}(
{parameters}
);
{ranks}
#ifdef __cplusplus
}}
#endif

#endif /* {0}_H */
"""


def c_header(m: Module, name: str) -> str:
    """The header of the function `name`, for C and C++; it includes stdint.h, and stdbool.h for truth values."""
    prefix = name.upper()
    extents, statuses, parameters = [], [], []
    arrays = list(_arrays(m))
    for n, (spelled, type, is_output, shown) in enumerate(arrays):
        macro = f"{prefix}_{spelled.upper()}"
        extents.append(f"#define {macro}_SIZE {type.size} /* {shown} */")
        extents += [f"#define {macro}_EXTENT_{i} {extent}" for i, extent in enumerate(type.shape)]
        element = f"{'' if is_output else 'const '}{type.dtype.c}"
        comma = "," if n < len(arrays) - 1 else ""
        parameters.append(f"    {element} *{prefix}_RESTRICT {spelled}{comma} /* {shown} */")
    for o in m.operations:
        if checks_indices(o.op):
            id = o.ids[0]
            what = f"/* %{id}, {o.opcode}: an index is out of bounds */"
            statuses.append(f"#define {prefix}_OUT_OF_BOUNDS_{id} {id + 1} {what}\n")
    lines = {"extents": extents, "parameters": parameters}
    texts = {key: "\n".join(value) for key, value in lines.items()}
    has_bools = any(type.dtype.is_bool for _, type, _, _ in arrays)
    texts["bools"] = "#include <stdbool.h>\n" if has_bools else ""
    return _HEADER.format(prefix, name=name, statuses="".join(statuses), ranks=_ranks(m, name), **texts)


_RANKS = """
/* The code runs on the ranks of a mesh, {mesh}: every rank calls {set_ranks} once, and then {name} as often as the
 * others. `axes` are communicators along the axes of the mesh, in that order, made by MPI_Comm_split; errors of MPI
 * must be fatal. Include mpi.h first.
 */
void {set_ranks}(const int64_t *table);
#ifdef MPI_VERSION
static inline void {name}_use_mpi(const MPI_Comm *axes) {{
    static int64_t table[{size}];
    int rank;
{entries}
{axes}
    {set_ranks}(table);
}}
#endif
"""

_MPI_HANDLES = {**{d.value: d.mpi for d in DType}, **{kind: f"MPI_{kind.upper()}" for kind in REDUCTIONS}}


def _ranks(m: Module, name: str) -> str:
    """The part of the header that gives the code its ranks; empty for a module of one process."""
    if m.mesh is None or not needs_ranks(m):
        return ""
    entries = [f"    table[{entry(kind)}] = (int64_t)(intptr_t)&{f};" for kind, f in FUNCTIONS.items()]
    entries += [f"    table[{entry(kind)}] = (int64_t)(intptr_t){handle};" for kind, handle in _MPI_HANDLES.items()]
    axes = []
    for n, axis in enumerate(m.mesh.axis_names):
        axes.append(f"    MPI_Comm_rank(axes[{n}], &rank); /* {axis} */")
        axes.append(f"    table[{axis_entry(n, 'coordinate')}] = rank;")
        axes.append(f"    table[{axis_entry(n, 'communicator')}] = (int64_t)(intptr_t)axes[{n}];")
    return _RANKS.format(
        mesh=m.mesh,
        name=name,
        set_ranks=set_ranks_name(name),
        size=table_size(len(m.mesh.axis_names)),
        entries="\n".join(entries),
        axes="\n".join(axes),
    )


def _arrays(m: Module) -> Iterator[tuple[str, TensorType, bool, str]]:
    """For each parameter: its name in C, its type, whether it is an output, and the text of its comment."""
    taken: set[str] = set()
    given = [(o.op.name, o.type, False) for o in m.inputs]  # type: ignore[attr-defined]
    for name, type, is_output in (*given, *((f"out{n}", t, True) for n, t in enumerate(m.output_types))):
        spelled = re.sub(r"[^A-Za-z0-9_]", "_", name)
        if not spelled[:1].isalpha() or spelled in _KEYWORDS:
            spelled = f"in_{spelled}"
        base, n = spelled, 1
        while spelled.upper() in taken:  # macros are in capitals
            n += 1
            spelled = f"{base}_{n}"
        taken.add(spelled.upper())
        called = "" if spelled == name else f", {_quoted(name)}"
        yield spelled, type, is_output, f"{type.dtype}{list(type.shape)}{called}"


def _quoted(name: str) -> str:
    """A name, written so that it cannot end the comment that it is in."""
    return ascii(name).replace("*/", "* /").replace("/*", "/ *")


def check_symbol(name: Any) -> None:
    """E7007 unless a function in MLIR can have that name: text that is not empty, without control characters."""
    if not isinstance(name, str):
        raise MindError.of("E7007", f"name is a string, found {name!r}")
    if not name.isprintable() or not name:
        what = "is empty" if not name else "has characters that cannot be shown"
        raise MindError.of("E7007", f"the name of the function, {name!r}, {what}", help="letters, digits and _")


def check_name(name: str) -> None:
    """E7007 unless a library can define a function of that name, by the rules of C and of the system."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is None:
        raise MindError.of("E7007", f"{name!r} is no name of a C function", help="letters, digits and _")
    if name in _KEYWORDS or _is_in_the_system(name):
        what = "means something else in C" if name in _KEYWORDS else "is a function of the system"
        raise MindError.of("E7007", f"{name} {what}", help=f"--name=mind_{name}, for example")


def name_from(file: str) -> str:
    """The name of the function for the module in a file: the file's name, with mind_ before it if C cannot have it."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", PurePath(file).name.partition(".")[0])
    if file == "-" or not name:
        return "mind_module"
    try:
        check_name(name)
    except MindError:
        return f"mind_{name}"
    return name


def _is_in_the_system(name: str) -> bool:
    """True for a function of the C library: a library that defines another `exp` or `read` would replace it."""
    try:
        return hasattr(ctypes.CDLL(None), name)
    except (OSError, TypeError):  # Windows
        return False
