"""Operations of other packages: the entry point group `mind_mlir.ops` names modules that declare some with `@op`.

They are imported when an unknown opcode is looked up, so that they take no time otherwise.
"""

from __future__ import annotations

from .diagnostics import MindError
from .forks import ForkLock
from .op import OPS, Op

GROUP = "mind_mlir.ops"
"""Entry points of this group are modules to import: `[project.entry-points."mind_mlir.ops"]` in pyproject.toml."""

_lock = ForkLock()
_loaded = False


def find_op(opcode: str) -> type[Op] | None:
    """The operation of that name, also from other packages. E7012 if one of these cannot be imported."""
    found: type[Op] | None = OPS.get(opcode)
    if found is None:
        load_plugins()
        found = OPS.get(opcode)
    return found


def load_plugins() -> None:
    """Import the modules that installed packages name as operations; once. E7012."""
    global _loaded
    with _lock:
        if _loaded:
            return
        from importlib.metadata import entry_points

        for entry in sorted(entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
            try:
                entry.load()
            except Exception as why:  # a package may raise anything when it is imported
                package = entry.dist.name if entry.dist is not None else entry.value
                reason = f"{type(why).__name__}: {why}".splitlines()[0]
                raise MindError.of(
                    "E7012",
                    f"the operations of package {package} cannot be loaded: {reason}",
                    note=f"its entry point {GROUP} is {entry.name} = {entry.value}",
                    help=f"python -c 'import {entry.value.partition(':')[0]}' shows where it fails; or uninstall it",
                ) from why
        _loaded = True
