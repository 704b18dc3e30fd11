"""The manifest of an artifact: what a host needs to know to run it, as data and as JSON. docs/gpu.md has the format.

This file needs no MLIR: a host that only loads artifacts imports it too.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ....ir import MindError, TensorType

FORMAT = "mind-mlir gpu artifact"
VERSION = 1
"""The version of the format. It grows when a reader of the version before would get something wrong."""

FILE_NAME = "manifest.json"

KINDS = ("input", "output", "status", "constant", "arena")
"""The kinds of memory that an argument of a launch may point into."""

ALIGNMENT = 16
"""The alignment of a caller's arrays, in bytes: kernels read up to so many at once."""


@dataclass(frozen=True)
class Place:
    """An address: `offset` bytes into memory number `number` of a kind. There is one arena and one status."""

    kind: str
    number: int
    offset: int = 0


@dataclass(frozen=True)
class TensorMap:
    """A CUtensorMap, 128 bytes that the driver makes: tiles of extents `box` of a tensor of f32 at an address.

    The fields are as cuTensorMapEncodeTiled takes them: the innermost dimension first, `strides` in bytes, without the
    first one. `dtype` is tf32: elements are rounded while they are copied. Pieces of 16 bytes are exchanged within
    `swizzle` bytes, 0 if they are not. Elements outside the tensor read as 0.
    """

    place: Place
    dtype: str
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    swizzle: int

    @property
    def size(self) -> int:
        """Bytes from the first element of the tensor to the end of the last one."""
        return sum((n - 1) * s for n, s in zip(self.extents, (4, *self.strides))) + 4


Argument = Place | TensorMap


def place_of(a: Argument) -> Place:
    """The address at which the memory of an argument starts."""
    return a.place if isinstance(a, TensorMap) else a


@dataclass(frozen=True)
class Launch:
    """One kernel on a grid of blocks, with a pointer or a tensor map for each parameter.

    `shared` is the shared memory that each block is given at the launch, in bytes.
    """

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Plan:
    """Everything that a host does. `arena` is the number of bytes that intermediate results take together."""

    launches: tuple[Launch, ...]
    constants: tuple[bytes, ...]
    arena: int
    has_status: bool


@dataclass(frozen=True)
class Named:
    """An Input or an output: its name, and its type."""

    name: str
    type: TensorType


@dataclass(frozen=True)
class File:
    """A file beside the manifest: its name, its length in bytes and its sha256."""

    name: str
    size: int
    sha256: str

    @staticmethod
    def of(name: str, data: bytes) -> File:
        """The entry for a file with these bytes."""
        return File(name, len(data), hashlib.sha256(data).hexdigest())

    def checked(self, data: bytes) -> bytes:
        """`data`, if it is what this entry says. E7017."""
        if len(data) != self.size:
            raise damaged(f"{self.name} has {len(data)} bytes, the manifest says {self.size}")
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise damaged(f"{self.name} is not the file that was written with the manifest")
        return data


@dataclass(frozen=True)
class Program:
    """The code for one chip: launches, and images of the kernels by kind (`cubin`, `ptx`); none without launches.

    `number` of a constant counts the constants of the manifest.
    """

    chip: str
    launches: tuple[Launch, ...]
    arena: int
    has_status: bool
    images: Mapping[str, File]


@dataclass(frozen=True)
class Manifest:
    """A module as GPU code. `failures` says what a status other than 0 means."""

    name: str
    numerics: str
    precision: str
    inputs: tuple[Named, ...]
    outputs: tuple[Named, ...]
    constants: tuple[File, ...]
    programs: tuple[Program, ...]
    failures: Mapping[int, str] = field(default_factory=dict)

    def files(self) -> list[File]:
        """Every file beside the manifest."""
        return [*self.constants, *[f for p in self.programs for f in p.images.values()]]

    def to_json(self) -> str:
        """The text of manifest.json."""
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "name": self.name, "numerics": self.numerics}
        data["precision"] = self.precision
        for what in ("inputs", "outputs"):
            data[what] = [
                {"name": n.name, "dtype": n.type.dtype.value, "shape": list(n.type.shape)} for n in getattr(self, what)
            ]
        data["constants"] = [dataclasses.asdict(f) for f in self.constants]
        data["failures"] = {str(status): text for status, text in self.failures.items()}
        data["programs"] = [_program(p) for p in self.programs]
        return _text(data, "") + "\n"


def _program(p: Program) -> dict[str, Any]:
    launches = []
    for launch in p.launches:
        launches.append({**dataclasses.asdict(launch), "arguments": [_argument(a) for a in launch.arguments]})
    images = {kind: dataclasses.asdict(f) for kind, f in p.images.items()}
    return {
        "chip": p.chip,
        "images": images,
        "arena": p.arena,
        "has_status": p.has_status,
        "launches": launches,
    }


def _argument(a: Argument) -> Any:
    place = [*dataclasses.astuple(place_of(a))]
    if isinstance(a, Place):
        return place
    return {"map": place, **{name: value for name, value in dataclasses.asdict(a).items() if name != "place"}}


def _text(data: Any, indent: str) -> str:
    """Data as JSON; a list or an object that fits into one line is written as one."""
    line = json.dumps(data, ensure_ascii=False)
    if len(indent) + len(line) <= 100 or not isinstance(data, (dict, list)):
        return line
    within = indent + "  "
    if isinstance(data, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_text(value, within)}" for key, value in data.items()]
    else:
        parts = [_text(value, within) for value in data]
    first, last = "{}" if isinstance(data, dict) else "[]"
    return f"{first}\n{within}" + f",\n{within}".join(parts) + f"\n{indent}{last}"


def damaged(message: str) -> MindError:
    """E7017: a folder is no artifact, or not a whole one."""
    return MindError.of("E7017", message, help="write the artifact again with mind-translate --to-gpu-artifact")
