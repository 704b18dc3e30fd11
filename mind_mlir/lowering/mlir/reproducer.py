"""Writes reproducers: files that show a fault again."""

from __future__ import annotations

import os
import tempfile


def write_reproducer(text: str | bytes, suffix: str) -> str:
    """Write a reproducer into the current folder, or a temporary one; returns its path."""
    for folder in (os.curdir, None):
        try:
            handle, path = tempfile.mkstemp(suffix, "mind-reproducer-", folder)
        except OSError:
            continue
        with os.fdopen(handle, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return os.path.relpath(path) if folder else path
    return "(no folder to write a reproducer into)"


def mlir_reproducer(text: str, passes: str) -> str:
    """MLIR text with the pipeline to run on it, as `mlir-opt --run-reproducer` reads it."""
    quoted = passes.replace("\\", "\\\\").replace('"', '\\"')
    resource = (
        "{-#\n  external_resources: {\n    mlir_reproducer: {\n"
        f'      pipeline: "builtin.module({quoted})",\n'
        "      disable_threading: true,\n      verify_each: true\n    }\n  }\n#-}\n"
    )
    return text + "\n" + resource
