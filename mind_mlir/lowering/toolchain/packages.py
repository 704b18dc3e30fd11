"""Finds installed packages without importing them."""

from __future__ import annotations

import importlib.util


def package_folder(name: str) -> str | None:
    """The folder of an installed package, or None."""
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return places[0] if places else None
