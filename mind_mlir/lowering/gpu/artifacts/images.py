"""A module as NVVM, PTX or cubin for a chip, and as an artifact for several: a folder that runs without MLIR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ....ir import MindError, Module
from ....passes.preflight import check_before_run, checks_indices
from ...targets.chips import CHIPS, find_chip
from .manifest import FILE_NAME, Argument, File, Launch, Manifest, Named, Place, Program, TensorMap
from .nvvm import to_nvvm, to_ptx
from .ptxas import Assembled, assemble, find_ptxas


def nvvm_module(m: Module, chip: str = "sm_80", numerics: str = "default", precision: str = "f32") -> Any:
    """The verified module in the dialects nvvm and llvm, with its launches. Errors as for `ptx`."""
    known_chip(chip)
    check_before_run(m)
    return to_nvvm(m, chip, numerics, precision).nvvm


def ptx(m: Module, chip: str = "sm_80", numerics: str = "default", precision: str = "f32") -> str:
    """The kernels of a verified module as PTX; empty where nothing is to compute.

    `precision` tf32 lets products of f32 be rounded to TF32 first, for the tensor cores.
    E6001 and E6004 for what is known before a run, E7007 for an unknown chip.
    """
    known_chip(chip)
    check_before_run(m)
    return to_ptx(to_nvvm(m, chip, numerics, precision))


def cubin(m: Module, chip: str = "sm_80", numerics: str = "default", precision: str = "f32") -> Assembled:
    """The kernels as a cubin. Errors as for `ptx`; E7006 too without ptxas, and E9001 if it refuses the kernels."""
    return assemble(ptx(m, chip, numerics, precision), chip)


def known_chip(name: str) -> None:
    """E7007 for a chip that no code is made for. LLVM would end the process."""
    try:
        find_chip(name)
    except MindError as why:
        raise MindError.of("E7007", why.message, help=f"chips: {', '.join(CHIPS)}") from None


def artifact(
    m: Module,
    name: str = "main",
    chips: Sequence[str] = tuple(CHIPS),
    numerics: str = "default",
    with_cubins: bool | None = None,
    precision: str = "f32",
) -> dict[str, bytes]:
    """The files of an artifact by name: the manifest, constants, and images for each chip.

    PTX always; cubins where ptxas is, or as `with_cubins` says. A chip whose code is that of another one, such as
    sm_90a where nothing uses what it adds to sm_90, has no images of its own. Errors as for `ptx` and `cubin`.
    """
    for chip in chips:
        known_chip(chip)
    check_before_run(m)
    if with_cubins is None:
        with_cubins = find_ptxas() is not None
    made = _Files()
    programs: list[Program] = []
    seen: set[tuple[object, ...]] = set()
    for chip in dict.fromkeys(chips):
        code = to_nvvm(m, chip, numerics, precision)
        text = to_ptx(code)
        plan = code.plan
        key = (text.replace(f".target {chip}", f".target {chip.rstrip('a')}"), plan)
        if key in seen and chip.endswith("a"):
            continue
        seen.add(key)
        images = {}
        if plan.launches:
            if with_cubins:
                images["cubin"] = made.add(f"{chip}.cubin", assemble(text, chip).cubin)
            images["ptx"] = made.add(f"{chip}.ptx", text.encode())
        numbers = [made.constant(data) for data in plan.constants]
        launches = tuple(_renumbered(launch, numbers) for launch in plan.launches)
        programs.append(Program(chip, launches, plan.arena, plan.has_status, images))
    manifest = Manifest(
        name,
        numerics,
        precision,
        tuple(Named(o.op.name, o.type) for o in m.inputs),  # type: ignore[attr-defined]
        tuple(Named(f"out{n}", t) for n, t in enumerate(m.output_types)),
        tuple(made.constants),
        tuple(programs),
        _failures(m) if any(p.has_status for p in programs) else {},
    )
    return {FILE_NAME: manifest.to_json().encode(), **made.data}


class _Files:
    """The files beside the manifest; equal constants share one file."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self.constants: list[File] = []
        self._numbers: dict[bytes, int] = {}

    def add(self, name: str, data: bytes) -> File:
        self.data[name] = data
        return File.of(name, data)

    def constant(self, data: bytes) -> int:
        """The number of a constant with these bytes."""
        if data not in self._numbers:
            self._numbers[data] = len(self.constants)
            self.constants.append(self.add(f"constant{len(self.constants)}.bin", data))
        return self._numbers[data]


def _renumbered(launch: Launch, numbers: Sequence[int]) -> Launch:
    def place(a: Place) -> Place:
        return replace(a, number=numbers[a.number]) if a.kind == "constant" else a

    def argument(a: Argument) -> Argument:
        return replace(a, place=place(a.place)) if isinstance(a, TensorMap) else place(a)

    return replace(launch, arguments=tuple(map(argument, launch.arguments)))


def _failures(m: Module) -> dict[int, str]:
    """What each status stands for: 1 + the id of an operation that met an index out of bounds."""
    out = {}
    for o in m.operations:
        if o.op.function_attributes:
            out[o.ids[0] + 1] = f"an index in a function of {o.opcode} %{o.ids[0]} is out of bounds"
        elif checks_indices(o.op):
            extent = m.values[o.operands[0]].type.shape[0]
            out[o.ids[0] + 1] = f"an index of {o.opcode} %{o.ids[0]} is out of bounds for extent {extent}"
    return out
