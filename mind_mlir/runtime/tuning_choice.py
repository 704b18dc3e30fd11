"""Which tuning file is used: the caller's, else that of the environment, else none."""

from __future__ import annotations

import os

from ..ir import MindError

VARIABLE = "MIND_TUNING"
"""The environment variable with the path of the file, used where no `tuning` is given."""

OFF = ("", "off", "0", "no", "none")
"""Names that stand for no file."""


def tuning_file(tuning: str | os.PathLike[str] | None) -> str | None:
    """The path of the file: `tuning`, else that of MIND_TUNING; None without either, or if it is `off`.

    E7007 for anything else than a path.
    """
    given = os.environ.get(VARIABLE, "") if tuning is None else tuning
    path = os.fspath(given) if isinstance(given, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise MindError.of("E7007", f"tuning is the path of a file or None, found {tuning!r}")
    return None if path.lower() in OFF else path
