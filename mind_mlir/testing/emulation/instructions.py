"""How each instruction of a GPU is emulated: operations of the dialect nvvm, and inline PTX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from .retarget import NotEmulated, Retargeting

_NOTHING = (
    "nvvm.fence",
    "nvvm.membar",
    "nvvm.memory.barrier",
    "nvvm.prefetch",
    "nvvm.cp.async.bulk.prefetch",
    "nvvm.cp.async.bulk.tensor.prefetch",
    "nvvm.wgmma.fence",
    "nvvm.mbarrier.inval",
    "nvvm.setmaxregister",
    "nvvm.griddepcontrol",
)
"""Instructions without effect here, because all threads see memory at once."""

_QUIET_ASSEMBLY = ("fence.", "setmaxnreg", "prefetch", "griddepcontrol", "wgmma.fence")

_SPECIAL = re.compile(
    r"nvvm\.read\.ptx\.sreg\.(?:(tid|ctaid|ntid|nctaid)\.([xyz])|(laneid|warpid|warpsize|cluster\.n?ctarank))"
)

Rule = Callable[[Retargeting, Any], None]


def rewritten(r: Retargeting, op: Any) -> None:
    """Replace an instruction by calls of the emulator. NotEmulated for one that it does not have."""
    if rule := RULES.get(op.name):
        rule(r, op)
    elif found := _SPECIAL.fullmatch(op.name):
        _register(r, op, found)
    elif op.name.startswith(_NOTHING):
        op.erase()
    else:
        raise NotEmulated(f"the emulator has no {op.name}")


def _register(r: Retargeting, op: Any, found: re.Match[str]) -> None:
    name, dimension, other = found.groups()
    if other == "warpsize":
        r.replace(op, [r.number(32)])
    elif other:
        r.replace(op, [r.call(f"emu_{other.replace('.', '_')}", [], r.i32)])
    else:
        r.replace(op, [r.call(f"emu_{name}", [r.number("xyz".index(dimension))], r.i32)])


def _simple(function: str, *extra: int) -> Rule:
    """A rule that calls a function with the operands, these numbers and the operation's site, and gives no result."""

    def rule(r: Retargeting, op: Any) -> None:
        r.call(function, [*op.operands, *[r.number(n) for n in extra], r.site(op)], None)
        op.erase()

    return rule


def _word(text: Any) -> str:
    """The last word of an attribute: `bfly` of `#nvvm<shfl_kind bfly>`."""
    return str(re.findall(r"\w+", str(text))[-1])


def _groups(op: Any) -> list[list[Any]]:
    """The operands in the groups that the operation's definition names."""
    operands, found = list(op.operands), []
    for n in op.attributes["operandSegmentSizes"]:
        found.append(operands[:n])
        operands = operands[n:]
    return found


def _barrier(r: Retargeting, op: Any) -> None:
    id, count, *rest = _groups(op)
    if any(rest):
        raise NotEmulated("the emulator has no barrier that reduces")
    r.call("emu_barrier", [*(id or [r.number(0)]), *(count or [r.number(0)]), r.site(op)], None)
    op.erase()


def _shuffle(r: Retargeting, op: Any) -> None:
    mask, value, operand, clamp = op.operands
    mode = r.number(("up", "down", "bfly", "idx").index(_word(op.attributes["kind"])))
    is_float = str(value.type) == "f32"
    bits = r.op("llvm.bitcast", [value], r.i32) if is_float else value
    found = r.call("emu_shfl", [mode, mask, bits, operand, clamp, r.site(op)], r.i32)
    type = op.results[0].type
    if str(type).startswith("!llvm.struct"):
        r.replace(op, [r.parts(type)])
    else:
        r.replace(op, [r.op("llvm.bitcast", [found], value.type) if is_float else found])


def _vote(r: Retargeting, op: Any) -> None:
    mask, predicate = op.operands
    kind = r.number(("all", "any", "ballot", "uni").index(_word(op.attributes["kind"])))
    found = r.call("emu_vote", [kind, mask, r.op("llvm.zext", [predicate], r.i32), r.site(op)], r.i32)
    _truth(r, op, found)


def _elect(r: Retargeting, op: Any) -> None:
    mask = list(op.operands) or [r.number(-1)]
    _truth(r, op, r.call("emu_elect", [*mask, r.site(op)], r.i32))


def _truth(r: Retargeting, op: Any, found: Any) -> None:
    """Replace the operation's result, which may be an i1, by an i32."""
    type = op.results[0].type
    r.replace(op, [found if type == r.i32 else r.op("llvm.trunc", [found], type)])


def _matrix_load(r: Retargeting, op: Any) -> None:
    count, transposed = op.attributes["num"].value, _word(op.attributes["layout"]) == "col"
    r.call("emu_ldmatrix", [op.operands[0], r.number(count), r.number(int(transposed)), r.site(op)], None)
    r.replace(op, [r.parts(op.results[0].type)])


def _product(r: Retargeting, op: Any) -> None:
    shape: tuple[int, ...] = tuple(int(n) for n in re.findall(r"= (\d+)", str(op.attributes["shape"])))
    kind = _word(op.attributes["multiplicandAPtxType"]) if "multiplicandAPtxType" in op.attributes else "f64"
    function = f"emu_mma_m{'n'.join(map(str, shape[:2]))}k{shape[2]}_{kind}"
    if function not in ("emu_mma_m16n8k8_tf32", "emu_mma_m8n8k4_f64"):
        raise NotEmulated(f"the emulator has no mma.sync of {kind} and shape {shape}")
    r.call(function, [*op.operands, r.site(op)], None)
    r.replace(op, [r.parts(op.results[0].type)])


def _rounded(r: Retargeting, op: Any) -> None:
    r.replace(op, [r.call("emu_cvt_tf32", list(op.operands), r.i32)])


def _copy(r: Retargeting, op: Any) -> None:
    to, source, *given = op.operands
    size = r.number(op.attributes["size"].value)
    r.call("emu_cp_async", [to, source, size, *(given or [size]), r.site(op)], None)
    op.erase()


def _commit(r: Retargeting, op: Any) -> None:
    r.call("emu_cp_async_commit", [], None)
    op.erase()


def _commit_products(r: Retargeting, op: Any) -> None:
    r.call("emu_wgmma_commit", [], None)
    op.erase()


def _wait_for_products(r: Retargeting, op: Any) -> None:
    r.call("emu_wgmma_wait", [r.number(op.attributes["group"].value), r.site(op)], None)
    op.erase()


def _wait(r: Retargeting, op: Any) -> None:
    r.call("emu_cp_async_wait", [r.number(op.attributes["n"].value), r.site(op)], None)
    op.erase()


def _arrive(function: str) -> Rule:
    def rule(r: Retargeting, op: Any) -> None:
        token = r.call(function, [*list(op.operands)[:2], r.site(op)], r.i64)
        r.replace(op, [token] if len(op.results) else [])

    return rule


def _test(r: Retargeting, op: Any) -> None:
    key, token = op.operands
    r.call("emu_mbarrier_wait", [key, r.op("llvm.trunc", [token], r.i32), r.site(op)], None)
    r.replace(op, [r.number(1, op.results[0].type)])


def _tile(r: Retargeting, op: Any) -> None:
    target, coordinates, mbarrier, offsets, mask, *rest = _by_name(op)
    if offsets or any(rest):
        raise NotEmulated("the emulator has TMA loads of tiles, without offsets, caches and predicates")
    to, map = target
    rank = len(coordinates)
    at = [*coordinates, *[r.number(0)] * (5 - rank)]
    blocks = r.op("llvm.zext", mask, r.i32) if mask else r.number(0)
    r.call("emu_tile_load", [to, map, *mbarrier, blocks, r.number(rank), *at, r.site(op)], None)
    op.erase()


def _elsewhere(r: Retargeting, op: Any) -> None:
    r.replace(op, [r.call("emu_mapa", [*op.operands, r.site(op)], r.pointer)])


def _arrive_in_cluster(r: Retargeting, op: Any) -> None:
    r.call("emu_cluster_arrive", [], None)
    op.erase()


def _by_name(op: Any) -> list[list[Any]]:
    """The operands of a TMA load in groups: target and map, coordinates, mbarrier, offsets, blocks, and all others."""
    to, map, coordinates, mbarrier, *rest = _groups(op)
    return [[*to, *map], coordinates, mbarrier, *rest]


def _assembly(r: Retargeting, op: Any) -> None:
    text = op.attributes["asm_string"].value
    operands: Sequence[Any] = list(op.operands)
    if found := re.search(r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k8\.f32\.tf32\.tf32", text):
        _warp_group_product(r, op, int(found[1]), operands)
    elif "mbarrier.try_wait.parity" in text and len(op.results) == 0:
        key, parity = operands[:2]
        r.call("emu_mbarrier_wait", [key, parity, r.site(op)], None)
        op.erase()
    elif "cvt.rna.tf32.f32" in text:
        r.replace(op, [r.call("emu_cvt_tf32", operands, r.i32)])
    elif len(op.results) == 0 and any(name in text for name in _QUIET_ASSEMBLY):
        op.erase()
    else:
        raise NotEmulated(f"the emulator has no inline PTX {text!r}")


def _intrinsic(r: Retargeting, op: Any) -> None:
    name = op.attributes["intrin"].value
    if not name.startswith("llvm.nvvm."):
        return  # one of LLVM for every machine
    function = {"llvm.nvvm.ex2.approx": "emu_ex2_approx", "llvm.nvvm.lg2.approx.f": "emu_lg2_approx"}.get(name)
    if function is None:
        raise NotEmulated(f"the emulator has no {name}")
    r.replace(op, [r.call(function, list(op.operands), op.results[0].type)])


def _warp_group_product(r: Retargeting, op: Any, n: int, operands: Sequence[Any]) -> None:
    sums, rest = operands[: n // 2], operands[n // 2 :]
    if len(rest) != 5:
        raise NotEmulated("the emulator has wgmma of operands in shared memory, both with rows of k")
    for i, v in enumerate(sums):
        r.store(v, r.address(r.results + 4 * i))
    a, b, *scales = rest
    r.call("emu_wgmma_tf32", [a, b, r.number(n), *scales, r.site(op)], None)
    r.replace(op, [r.parts(op.results[0].type)])


RULES: dict[str, Rule] = {
    "nvvm.barrier0": _simple("emu_barrier0"),
    "nvvm.barrier": _barrier,
    "nvvm.bar.warp.sync": _simple("emu_syncwarp"),
    "nvvm.shfl.sync": _shuffle,
    "nvvm.vote.sync": _vote,
    "nvvm.elect.sync": _elect,
    "nvvm.ldmatrix": _matrix_load,
    "nvvm.mma.sync": _product,
    "nvvm.convert.float.to.tf32": _rounded,
    "nvvm.cp.async.shared.global": _copy,
    "nvvm.cp.async.commit.group": _commit,
    "nvvm.cp.async.wait.group": _wait,
    "nvvm.cp.async.wait.all": _simple("emu_cp_async_wait_all"),
    "nvvm.mbarrier.init": _simple("emu_mbarrier_init"),
    "nvvm.mbarrier.arrive": _arrive("emu_mbarrier_arrive"),
    "nvvm.mbarrier.arrive.expect_tx": _arrive("emu_mbarrier_arrive_expect"),
    "nvvm.mbarrier.test.wait": _test,
    "nvvm.mapa": _elsewhere,
    "nvvm.cluster.arrive": _arrive_in_cluster,
    "nvvm.cluster.wait": _simple("emu_cluster_wait"),
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": _tile,
    "nvvm.wgmma.commit.group.sync.aligned": _commit_products,
    "nvvm.wgmma.wait.group.sync.aligned": _wait_for_products,
    "llvm.inline_asm": _assembly,
    "llvm.call_intrinsic": _intrinsic,
}
"""Operation -> the rule that rewrites it."""
