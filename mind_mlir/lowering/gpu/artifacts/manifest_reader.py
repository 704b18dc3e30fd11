"""The reader of manifest.json, which checks every field. E7017 names the field at fault."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from ....ir import DType, MindError, TensorType
from .manifest import (
    FORMAT,
    KINDS,
    VERSION,
    Argument,
    File,
    Launch,
    Manifest,
    Named,
    Place,
    Program,
    TensorMap,
    damaged,
    place_of,
)

T = TypeVar("T")

_IMAGES = ("cubin", "ptx")
_FILE = re.compile(r"[\w-][\w.-]*")
"""The names that files may have: those of the manifest's own folder."""

_MOST = {"grid": (2**31 - 1, 65535, 65535), "block": (1024, 1024, 64)}


def read_manifest(text: str | bytes) -> Manifest:
    """The manifest of an artifact. E7017 if it is not JSON, of another version, or has a field that cannot be."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as why:
        raise damaged(f"manifest.json is not JSON: {why}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise damaged(f'manifest.json has no "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        message = f"the artifact has version {data.get('version')!r} of its format, this loader reads {VERSION}"
        raise damaged(message)
    return _Fields(data, "").manifest()


class _Fields:
    """One object of the JSON, with the path to it in `where`, for messages."""

    def __init__(self, data: Any, where: str) -> None:
        self.data, self.where = data, where
        if not isinstance(data, dict):
            raise _wrong(where, "an object", data)

    def manifest(self) -> Manifest:
        constants = self.each("constants", _Fields.file)
        failures = self.get("failures", dict)
        for status, text in failures.items():
            if not (status.isascii() and status.isdigit() and isinstance(text, str)):
                raise _wrong(f"{self.where}failures", "texts by number", {status: text})
        made = Manifest(
            self.get("name", str),
            self.get("numerics", str),
            self.get("precision", str),
            self.each("inputs", _Fields.named),
            self.each("outputs", _Fields.named),
            constants,
            self.each("programs", _Fields.program),
            {int(status): text for status, text in failures.items()},
        )
        if not made.programs:
            raise damaged("manifest.json holds no program")
        for n, p in enumerate(made.programs):
            _check_places(made, p, f"programs[{n}]")
        return made

    def program(self) -> Program:
        images = _Fields(self.get("images", dict), f"{self.where}images.")
        found = {k: _Fields(images.data[k], f"{images.where}{k}.").file() for k in _IMAGES if k in images.data}
        chip = self.get("chip", str)
        if not re.fullmatch(r"sm_\d{2,3}[af]?", chip):
            raise _wrong(f"{self.where}chip", "a chip such as sm_90", chip)
        launches = self.each("launches", _Fields.launch)
        if launches and not found:
            raise damaged(f"{self.where}images holds neither {' nor '.join(_IMAGES)}")
        return Program(chip, launches, self.number("arena"), self.get("has_status", bool), found)

    def launch(self) -> Launch:
        arguments = [_argument(a, f"{self.where}arguments[{n}]") for n, a in enumerate(self.get("arguments", list))]
        return Launch(
            self.get("kernel", str), self.sizes("grid"), self.sizes("block"), self.number("shared"), tuple(arguments)
        )

    def map(self) -> TensorMap:
        place = _place(self.data["map"], f"{self.where}map")
        if place.offset % 16:
            raise _wrong(f"{self.where}map", "at a multiple of 16 bytes", place.offset)
        if (dtype := self.get("dtype", str)) != "tf32":
            raise _wrong(f"{self.where}dtype", "tf32", dtype)
        swizzle = self.number("swizzle")
        if swizzle not in (0, 32, 64, 128):
            raise _wrong(f"{self.where}swizzle", "0, 32, 64 or 128", swizzle)
        extents = self.counts("extents", range(1, 6), 2**32)
        strides = self.counts("strides", [len(extents) - 1], 2**40 - 1, 16)
        box = self.counts("box", [len(extents)], 256)
        if box[0] * 4 % 16 or (swizzle and box[0] * 4 > swizzle):
            raise _wrong(f"{self.where}box", "of lines of 16 bytes, and no longer than swizzle", list(box))
        return TensorMap(place, dtype, extents, strides, box, swizzle)

    def counts(self, name: str, lengths: Collection[int], most: int, unit: int = 1) -> tuple[int, ...]:
        """A field that is a list of positive multiples of a unit."""
        value = self.get(name, list)
        if len(value) not in lengths or not all(_is_count(n) and 0 < n <= most and n % unit == 0 for n in value):
            raise _wrong(self.where + name, f"multiples of {unit} up to {most}, one for each dimension", value)
        return tuple(value)

    def named(self) -> Named:
        dtype, shape = self.get("dtype", str), self.get("shape", list)
        if DType.named(dtype) is None:
            raise _wrong(f"{self.where}dtype", DType.listed("or"), dtype)
        if not all(map(_is_count, shape)):
            raise _wrong(f"{self.where}shape", "extents", shape)
        return Named(self.get("name", str), TensorType(DType(dtype), tuple(shape)))

    def file(self) -> File:
        name = self.get("name", str)
        if not _FILE.fullmatch(name):
            raise _wrong(f"{self.where}name", "the name of a file beside the manifest", name)
        return File(name, self.number("size"), self.get("sha256", str))

    def get(self, name: str, kind: type[T]) -> T:
        """A field of a kind: str, bool, list or dict."""
        value = self.data.get(name)
        if not isinstance(value, kind):
            what = {str: "a text", bool: "true or false", list: "a list", dict: "an object"}[kind]
            raise _wrong(self.where + name, what, value)
        return value

    def number(self, name: str) -> int:
        """A field that is a number of something."""
        value = self.data.get(name)
        if not _is_count(value):
            raise _wrong(self.where + name, "an integer of 0 or more", value)
        return int(value)

    def sizes(self, name: str) -> tuple[int, int, int]:
        """The three extents of a grid or a block."""
        value, most = self.get(name, list), _MOST[name]
        if len(value) != 3 or not all(_is_count(n) and 1 <= n <= top for n, top in zip(value, most)):
            raise _wrong(self.where + name, f"three extents of 1 to {', '.join(map(str, most))}", value)
        return value[0], value[1], value[2]

    def each(self, name: str, read: Callable[[_Fields], T]) -> tuple[T, ...]:
        """A field that is a list of objects."""
        entries = self.get(name, list)
        return tuple(read(_Fields(e, f"{self.where}{name}[{n}].")) for n, e in enumerate(entries))


def _argument(a: Any, where: str) -> Argument:
    return _Fields(a, f"{where}.").map() if isinstance(a, dict) and "map" in a else _place(a, where)


def _place(a: Any, where: str) -> Place:
    if not (isinstance(a, list) and len(a) == 3 and a[0] in KINDS and all(map(_is_count, a[1:]))):
        raise _wrong(where, f"[kind, number, offset] with a kind of {', '.join(KINDS)}", a)
    return Place(*a)


def _check_places(m: Manifest, p: Program, where: str) -> None:
    """E7017 if a launch points to memory that does not exist, or past its end."""
    sizes: Mapping[str, list[int]] = {
        "input": [n.type.nbytes for n in m.inputs],
        "output": [n.type.nbytes for n in m.outputs],
        "constant": [f.size for f in m.constants],
        "status": [8] * p.has_status,
        "arena": [p.arena],
    }
    for n, launch in enumerate(p.launches):
        for k, a in enumerate(launch.arguments):
            place, size = place_of(a), a.size if isinstance(a, TensorMap) else 0
            there = sizes[place.kind]
            if place.number >= len(there) or place.offset + size > there[place.number]:
                message = f"manifest.json: {where}.launches[{n}].arguments[{k}] points to what is not there"
                raise damaged(f"{message}: {place.kind} {place.number}, offset {place.offset}")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _wrong(where: str, expected: str, found: Any) -> MindError:
    shown = "nothing" if found is None else json.dumps(found, ensure_ascii=False)
    where = where.removesuffix(".") or "the whole"
    return damaged(f"manifest.json: {where} is {expected}, found {shown[:60]}")
