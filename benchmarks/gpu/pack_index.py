"""Reads the index of a folder of artifacts, without MLIR."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

INDEX = "index.json"


def entries(folder: Path) -> list[dict[str, Any]]:
    """The entries of the folder, in order. OSError or ValueError for a folder without an index."""
    found = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    assert isinstance(found, list), "pack writes a list"
    return found


def entry_of(folder: Path, name: str) -> dict[str, Any]:
    """The entry of one artifact."""
    return next(e for e in entries(folder) if e["name"] == name)
