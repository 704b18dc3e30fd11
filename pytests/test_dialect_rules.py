"""The type rules of the dialect `mind` in C++ say what the op classes say: the same types, codes and sentences.

Every sample of every operation, and what becomes of it when one or two things about it are changed, is written in
generic form; `mlir-opt` with the plugin judges all of them at once.  Where MLIR checks by itself, before any rule (how
many operands there are, which attributes, of what kind, which element types), its sentence is another one, and what it
is about is compared.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from limits import HUNG
from mlir import ir
from support import alone

from mind_mlir.dialects.attributes import core_op, core_type, mlir_attributes
from mind_mlir.dialects.encoding import by_op_name, dialect_ops, encoded_attributes, op_name
from mind_mlir.dialects.native_dialect import find_native, native_folder
from mind_mlir.ir import OPS, DType, Op, Reject, TensorType, check_operand_count
from mind_mlir.ir.attributes import (
    ChoiceKind,
    CountKind,
    DataKind,
    DTypeKind,
    FlagKind,
    IntsKind,
    NameKind,
    PaddingKind,
    ScalarKind,
    ShardingKind,
)
from mind_mlir.lowering.toolchain.installed import tool
from mind_mlir.ops.convert import Convert
from mind_mlir.passes.canonicalize import canonicalize

PLUGIN = native_folder() / "MindPlugin.so"

pytestmark = pytest.mark.skipif(not PLUGIN.is_file(), reason=f"no native build: {PLUGIN} does not exist")

MOST = 2**63 - 1
EXTENTS = (0, 1, 2, 7, 2**62, MOST)
NUMBERS = (-(2**63), -7, -1, 0, 1, 5, 2**62, MOST)
WORDS = (
    "error",
    "clip",
    "fill",
    "Clip",
    "",
    "it's",
    'a \\"b\\"',
    "'\\22",
    "back\\\\slash",
    "\\0A\\09\\0D\\01\\7F",
    "é",
    "\\FF",
)
AXES = ("dp", "_", "a" * 41, "é" * 41, *WORDS)
SHARDINGS = (
    "[]",
    "[_]",
    "[_, _]",
    "[dp, _x, [tp, Pp9]]",
    "partial([], [tp])",
    "partial([dp, _], [pp, tp])",
    *("[dp, dp]", "[[dp, tp], tp]", "partial([dp], [dp])", "partial([_], [tp, tp])", f"[{'a' * 41}, {'a' * 41}]"),
    *(
        "",
        "dp",
        "[dp",
        "[dp]]",
        "[dp,_]",
        "[dp ,_]",
        "[ dp]",
        "[_, ]",
        "[, _]",
        "[_,  _]",
        "[[]]",
        "[[dp]]",
        "[[_, dp]]",
    ),
    *("[1]", "[1a]", "[é]", "[dp]\\00", "[dp]\\0A", "[[[dp, tp]]]", "[a-b]", "[__]", "[_, _1]"),
    *("partial([_], [])", "partial([_], [tp, dp])", "partial([_],[tp])", "partial([_], [_])", "partial([_], tp)"),
    *("partial([_], [tp]", "partial [_]", "Partial([_], [tp])", "partial(partial([_], [tp]), [dp])"),
)
PADDINGS = ("Valid", "Same", "valid", "SAME", "Full", *WORDS)
FOREIGN_TYPES = (
    "tensor<?xf32>",
    "tensor<*xf32>",
    "tensor<2x3xf16>",
    "tensor<2xi24>",
    "tensor<3xsi32>",
    "tensor<3xsi8>",
    "tensor<2xindex>",
    "tensor<2xcomplex<f32>>",
    'tensor<2x3xf32, "sparse">',
    "vector<3xf32>",
    "memref<2x3xf32>",
    "f32",
)
ANY_ATTRIBUTES = (
    "unit",
    "true",
    "0 : i64",
    "1 : i32",
    "1.0 : f32",
    "1.0 : f64",
    '"Valid"',
    "array<i64>",
    "array<i64: 1, 1>",
    "array<i32: 0>",
    "array<i1: true>",
    "[0]",
    "f32",
    "dense<0> : tensor<1xi64>",
)
ANY_DATA = (
    "dense<1.0> : tensor<2x2xf32>",
    "dense<[1, 2]> : tensor<2xi32>",
    "dense<> : tensor<0x3xi64>",
    "dense<0x7F800001> : tensor<f32>",
    "dense<1.0> : tensor<2xf16>",
    "dense<true> : tensor<2xi1>",
    "dense<1> : tensor<2xui32>",
    "dense<1.0> : vector<2xf32>",
    'dense<1.0> : tensor<2xf32, "sparse">',
    "sparse<0, 1.0> : tensor<2xf32>",
    "sparse<[[0, 0], [1, 2], [2, 3]], [1.0, 5.0, 7.0]> : tensor<300x400xf32>",
    "dense_resource<elements> : tensor<2xf32>",
)


@dataclass(frozen=True)
class Case:
    """An operation as MLIR text."""

    opcode: str
    operands: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]
    results: tuple[str, ...]

    def result_list(self) -> str:
        """Their types as in the type of a function."""
        return self.results[0] if len(self.results) == 1 else f"({', '.join(self.results)})"

    def named_results(self) -> str:
        """Their names within the function."""
        return "%r" if len(self.results) == 1 else ", ".join(f"%r#{i}" for i in range(len(self.results)))

    def text(self) -> str:
        arguments = ", ".join(f"%{i}: {t}" for i, t in enumerate(self.operands))
        operands = ", ".join(f"%{i}" for i in range(len(self.operands)))
        attributes = ", ".join(f"{name} = {value}" for name, value in self.attributes)
        count = f":{len(self.results)}" if len(self.results) > 1 else ""
        return (
            f"func.func @f({arguments}) {{\n"
            f'  %r{count} = "{op_name(OPS[self.opcode])}"({operands}) {{{attributes}}} '
            f": ({', '.join(self.operands)}) -> {self.result_list()}\n"
            "  return\n}\n"
        )


# Cases


def tensor(t: TensorType) -> str:
    return f"tensor<{''.join(f'{n}x' for n in t.shape)}{t.dtype.mlir}>"


def sample_case(op: Op, types: tuple[TensorType, ...]) -> Case:
    attributes = tuple((name, str(value)) for name, value in mlir_attributes(op).items())
    return Case(op.opcode, tuple(map(tensor, types)), attributes, tuple(map(tensor, op.result_types(*types))))


def other_types(t: TensorType, foreign: bool) -> Iterator[str]:
    """Types one step away from `t`; those that Core lacks only if `foreign`."""
    for dtype in DType:
        yield tensor(TensorType(dtype, t.shape))
    shapes = [(), t.shape[1:], t.shape[:-1], (1, *t.shape), (2, *t.shape), (*t.shape, 1), t.shape[::-1]]
    for axis, n in itertools.product(range(t.rank), EXTENTS):
        shapes.append((*t.shape[:axis], n, *t.shape[axis + 1 :]))
    for shape in shapes:
        yield tensor(t.with_shape(shape))
    if foreign:
        yield from FOREIGN_TYPES


def other_ints(ints: tuple[int, ...]) -> Iterator[str]:
    """Lists one step away from `ints`."""
    lists = [(), ints[:-1], (*ints, 0), (*ints, 1), ints[::-1], ints[:1] * 2, *((n,) * len(ints) for n in NUMBERS)]
    for at, n in itertools.product(range(len(ints)), {*NUMBERS, *(i + d for i in ints for d in (-1, 1))}):
        lists.append((*ints[:at], n, *ints[at + 1 :]))
    for values in lists:
        if all(-MOST - 1 <= n <= MOST for n in values):
            yield f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def other_attributes(op: Op, name: str, foreign: bool) -> Iterator[str | None]:
    """Values of an attribute one step away from the one it has; none, and those of other kinds, only if `foreign`."""
    if foreign:
        yield from (None, *ANY_ATTRIBUTES)
    kind, value = op.kinds[name], getattr(op, name)
    match kind:
        case IntsKind():
            yield from other_ints(value)
        case FlagKind():
            yield from ("true", "false")
        case ChoiceKind():
            yield from (f'"{word}"' for word in ("sum", "max", *WORDS))
        case NameKind():
            yield from (f'"{name}"' for name in AXES)
        case CountKind():
            yield from (f"{n} : i64" for n in {*NUMBERS, 2, 3})
        case ShardingKind():
            yield from (f'"{text}"' for text in (*SHARDINGS, *WORDS))
        case PaddingKind():
            yield from (f'"{word}"' for word in PADDINGS)
            yield from other_ints((0, 1, 2, 3))
            for count in range(6):
                yield f"array<i64: {', '.join(map(str, range(count)))}>" if count else "array<i64>"
        case ScalarKind():
            yield from ("0x7F800001 : f32", "0xFFC00000 : f32", "0x7FF0000000000001 : f64", "-1 : i64", "1.0 : bf16")
        case DTypeKind():
            yield from (*(d.mlir for d in DType), "i24", "f16", "si8", "index", "tensor<2xf32>")
        case DataKind():
            yield from ANY_DATA
        case _:
            raise AssertionError(f"no other values for {type(kind).__name__}")


def set_attribute(case: Case, name: str, value: str | None) -> Case:
    left = tuple((n, v) for n, v in case.attributes if n != name)
    return replace(case, attributes=left if value is None else (*left, (name, value)))


def set_operand(case: Case, at: int, type: str) -> Case:
    return replace(case, operands=(*case.operands[:at], type, *case.operands[at + 1 :]))


def changes_of(op: Op, types: tuple[TensorType, ...], foreign: bool) -> list[tuple[str | int, str | None]]:
    """An operand's position and another type for it, or an attribute's name and another value."""
    out: list[tuple[str | int, str | None]] = []
    for at, t in enumerate(types):
        out += [(at, other) for other in other_types(t, foreign)]
    for a in encoded_attributes(type(op)):
        out += [(a.name, other) for other in other_attributes(op, a.name, foreign)]
    return out


def changed(case: Case, change: tuple[str | int, str | None]) -> Case:
    where, value = change
    if isinstance(where, str):
        return set_attribute(case, where, value)
    assert value is not None
    return set_operand(case, where, value)


def cases_of(op: Op, types: tuple[TensorType, ...], first: bool, rng: random.Random) -> Iterator[Case]:
    """A sample and what becomes of it; for the `first` of an operation every change, and what MLIR itself refuses."""
    case = sample_case(op, types)
    yield case
    results = [(at, other) for at, t in enumerate(op.result_types(*types)) for other in other_types(t, first)]
    changes = changes_of(op, types, first)
    if first:
        yield replace(case, operands=(*case.operands, "tensor<f32>"))
        yield replace(case, operands=case.operands[:-1])
    else:
        results, changes = rng.sample(results, min(len(results), 5)), rng.sample(changes, min(len(changes), 60))
    for at, other in results:
        yield replace(case, results=(*case.results[:at], other, *case.results[at + 1 :]))
    for change in changes:
        yield changed(case, change)
    for _ in range(min(len(changes), 60 if first else 20)):
        yield changed(changed(case, rng.choice(changes)), rng.choice(changes))


def all_cases() -> list[Case]:
    rng = random.Random(0)
    found: dict[Case, None] = {}
    for cls in dialect_ops():
        for n, (op, types) in enumerate(cls.samples()):
            found |= dict.fromkeys(cases_of(op, types, n == 0, rng))
    return list(found)


# Verdicts: "ok", "E3001: Add cannot broadcast …", or what MLIR's own check is about


def python_verdict(case: Case) -> str:
    """By the op class."""
    cls = OPS[case.opcode]
    try:
        check_operand_count(cls, len(case.operands))  # type: ignore[arg-type]  asks the class alone
    except Reject:
        return "operand count"
    attributes = {name: attribute(text) for name, text in case.attributes}
    if about := refused_before_the_rules(cls, attributes):
        return about
    types = []
    for at, text in enumerate(case.operands):
        try:
            types.append(core_type(ir.Type.parse(text)))
        except Reject:
            return f"operand {at}"
    try:
        declared = tuple(core_type(ir.Type.parse(text)) for text in case.results)
    except Reject:
        return "result"
    try:
        inferred = core_op(cls, attributes).result_types(*types)
    except Reject as why:
        return f"{why.code}: {why.message}"
    return "ok" if declared == inferred else f"gives {listed(inferred)}, not {listed(declared)}"


def listed(types: tuple[TensorType, ...]) -> str:
    """As MLIR lists types, without the first and the last mark of quotation."""
    return "', '".join(map(tensor, types))


@functools.cache
def attribute(text: str) -> ir.Attribute:
    """Read once: every reading of a `dense_resource` makes another one."""
    return ir.Attribute.parse(text)


def refused_before_the_rules(cls: type[Op], attributes: dict[str, ir.Attribute]) -> str:
    """The first attribute that is missing, else the first that MLIR finds to be of another kind; else nothing.

    Each is judged by core_op beside those of a sample, which are right.
    """
    right = mlir_attributes(cls.samples()[0][0])
    faults = {}
    for a in encoded_attributes(cls):
        left = {name: value for name, value in right.items() if name != a.name}
        try:
            core_op(cls, left | {a.name: attributes[a.name]} if a.name in attributes else left)
        except Reject as why:
            faults[a.name] = why.message
    for name in sorted(faults):
        if name not in attributes:
            assert faults[name] == f"{cls.opcode} has no attribute {name}"
            return f"missing {name}"
    for name, message in faults.items():
        if message.startswith(f"attribute {name}: expected") and not a_rule_judges(cls, name, attributes[name]):
            return f"kind {name}"
    return ""


def a_rule_judges(cls: type[Op], name: str, given: ir.Attribute) -> bool:
    """True for an attribute of the kind that MLIR asks for, whose value may be wrong."""
    match cls.kinds[name]:
        case ChoiceKind() | NameKind() | ShardingKind():
            return isinstance(given, ir.StringAttr)
        case DTypeKind():
            return isinstance(given, ir.TypeAttr)
        case CountKind():
            return isinstance(given, ir.IntegerAttr) and given.type == ir.IntegerType.get_signless(64)
        case DataKind():
            return str(given).startswith(("dense", "sparse"))
        case PaddingKind():
            return isinstance(given, (ir.StringAttr, ir.DenseI64ArrayAttr))
    return False


MLIR_SAYS = {
    r"op (E\d{4}: .*)": "{0}",
    r"op inferred type\(s\) '(.*)' are incompatible with return type\(s\) of operation '(.*)'": "gives {0}, not {1}",
    r"op requires attribute '(\w+)'": "missing {0}",
    r"op attribute '(\w+)' failed to satisfy constraint: .*": "kind {0}",
    r"op operand #(\d+) must be .*": "operand {0}",
    r"op result #\d+ must be .*": "result",
    r"op expected \d+ (?:or more )?operands, but found \d+": "operand count",
    r"op requires (?:zero operands|a single operand)": "operand count",
}


RULES = {
    *("ok", "gives", "operand", "result", "missing", "kind"),
    *("E2002", "E2004", "E2005", "E3001", "E3002", "E3003", "E3004", "E3005", "E3006", "E3007", "E3008", "E3009"),
    *("E3011", "E4006", "E4007", "E4008", "E4009", "E4010", "E4011", "E4013", "E4016", "E8002", "E8003", "E8006"),
}
"""First words of the verdicts: every code that a type rule or an attribute's kind has."""

AT_ONCE = 1000
"""Cases in a file: MLIR counts lines from the start of the file for every error, which takes long for many."""


def cpp_verdicts(cases: list[Case], folder: Path) -> list[str]:
    """By C++, as `mlir-opt` says it."""
    return [v for i in range(0, len(cases), AT_ONCE) for v in _judged_at_once(cases[i : i + AT_ONCE], folder)]


def _judged_at_once(cases: list[Case], folder: Path) -> list[str]:
    path = folder / "cases.mlir"
    path.write_text("// -----\n".join(case.text() for case in cases), encoding="utf-8")
    command = [tool("mlir-opt"), f"--load-dialect-plugin={PLUGIN}", "--split-input-file", "--mlir-disable-threading"]
    done = subprocess.run([*command, str(path), "-o", "/dev/null"], capture_output=True, timeout=HUNG)
    said = done.stderr.decode("utf-8", errors="surrogateescape")
    assert done.returncode in (0, 1), f"mlir-opt ended with {done.returncode}: {said[-2000:]}"
    starts = list(itertools.accumulate((case.text().count("\n") + 1 for case in cases), initial=1))
    verdicts = ["ok"] * len(cases)
    for m in re.finditer(r"cases\.mlir:(\d+):\d+: error: (.*(?:\n(?! |within split|.*: error: |.*: note: ).*)*)", said):
        i = bisect.bisect_right(starts, int(m[1])) - 1
        if verdicts[i] == "ok":
            verdicts[i] = _translated(m[2].rstrip("\n"), cases[i])
    return verdicts


def _translated(message: str, case: Case) -> str:
    name = re.escape(op_name(OPS[case.opcode]))
    for pattern, verdict in MLIR_SAYS.items():
        if m := re.fullmatch(rf"'{name}' {pattern}", message, re.DOTALL):
            return verdict.format(*m.groups())
    return f"not understood: {message}"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    with ir.Context(), ir.Location.unknown():
        cases = all_cases()
        expected = [python_verdict(case) for case in cases]
        attribute.cache_clear()
    return cases, expected, cpp_verdicts(cases, tmp_path_factory.mktemp("rules"))


def test_cpp_and_python_give_the_same_verdict_on_every_case(judged):
    cases, expected, found = judged
    assert cases
    wrong = [(c, e, f) for c, e, f in zip(cases, expected, found) if e != f]
    print(f"{len(cases)} cases, {sum(e == 'ok' for e in expected)} valid")
    shown = "\n".join(f"{c.text()}  Python: {e}\n  C++:    {f}\n" for c, e, f in wrong[:10])
    assert not wrong, f"{len(wrong)} of {len(cases)} differ\n{shown}"


def test_the_cases_reach_every_rule(judged):
    _, expected, _ = judged
    reached = {verdict.partition(":")[0].partition(" ")[0] for verdict in expected}
    print(*sorted(reached))
    assert reached >= RULES


def test_the_op_of_a_valid_case_may_leave_a_default_out(judged):
    cases, expected, _ = judged
    left_out = [c for c, e in zip(cases, expected) if e == "ok" and not c.attributes and c.opcode == "Gather"]
    assert left_out


# Normal form


Form = tuple[list[tuple[Op, list[int]]], list[int]]
"""Operations with their operands, and what is returned: values by number, the parameters first."""


def python_normal_form(case: Case) -> Form:
    """What canonicalize leaves of the operation on inputs."""
    op = core_op(OPS[case.opcode], {name: attribute(text) for name, text in case.attributes})
    m = alone(op, [core_type(ir.Type.parse(text)) for text in case.operands])
    m = canonicalize(m, verified=True)  # it has no mesh, which operations between ranks want
    made = [o for o in m.operations if o.opcode != "Input"]
    number = {i: n for n, i in enumerate(i for o in (*m.inputs, *made) for i in o.ids)}
    return [(o.op, [number[i] for i in o.operands]) for o in made], [number[i] for i in m.outputs]


def cpp_normal_forms(cases: list[Case], folder: Path) -> Iterator[Form]:
    """What mind-canonicalize leaves of each."""
    path = folder / "valid.mlir"
    texts = [
        c.text().replace("@f(", f"@f{i}(").replace(") {\n", f") -> {c.result_list()} {{\n", 1)
        for i, c in enumerate(cases)
    ]
    texts = [
        t.replace("return\n", f"return {c.named_results()} : {', '.join(c.results)}\n") for t, c in zip(texts, cases)
    ]
    path.write_text("".join(texts), encoding="utf-8")
    command = [tool("mlir-opt"), f"--load-dialect-plugin={PLUGIN}", f"--load-pass-plugin={PLUGIN}"]
    command += ["--pass-pipeline=builtin.module(mind-canonicalize)", "--mlir-print-op-generic", str(path)]
    done = subprocess.run(command, capture_output=True, timeout=HUNG, text=True, encoding="utf-8", check=True)
    ir.Context.current.allow_unregistered_dialects = True
    for function in ir.Module.parse(done.stdout).body.operations:
        (block,) = function.regions[0].blocks
        *made, end = block.operations
        values = (*block.arguments, *(x for operation in made for x in operation.results))
        number = {value: n for n, value in enumerate(values)}
        ops = [core_op(by_op_name()[o.name], dict(o.attributes.items())) for o in made]
        operands = [[number[x] for x in o.operands] for o in made]
        yield list(zip(ops, operands)), [number[x] for x in end.operands]


FOLDED_IN_PYTHON = {"DotGeneral", "DynamicSlice", "Iota", "Reverse", "Sort"}
"""Operations whose folds make others, look at constants, or give several results.

docs/adr/0033-rules-translated-into-cpp.md, Consequences
"""


def attributes_in_normal_form(case: Case) -> Form:
    """The operation on inputs in the element type that it names, and of the operation only the attributes changed."""
    op = core_op(OPS[case.opcode], {name: attribute(text) for name, text in case.attributes})
    types = [core_type(ir.Type.parse(text)) for text in case.operands]
    results = op.result_types(*types)
    op = op.canonical(*types)
    operands, converts = list(range(len(types))), []
    if (wide := getattr(op, "element_type", None)) is not None:
        op = replace(op, element_type=None)
        for i, t in enumerate(types):
            if t.dtype != wide:
                operands[i] = len(types) + len(converts)
                converts.append((Convert(wide), [i]))
    n = len(types) + len(converts)
    return [*converts, (op, operands)], [n + i for i in range(len(results))]


def test_cpp_and_python_have_one_normal_form(judged, tmp_path):
    cases, expected, _ = judged
    valid = [c for c, e in zip(cases, expected) if e == "ok"]
    with ir.Context(), ir.Location.unknown():
        attribute.cache_clear()
        forms = [
            (c, python_normal_form(c), cpp) for c, cpp in zip(valid, cpp_normal_forms(valid, tmp_path), strict=True)
        ]
        other = {c.opcode for c, python, cpp in forms if python != cpp}
        forms = [
            (c, attributes_in_normal_form(c) if c.opcode in FOLDED_IN_PYTHON and python != cpp else python, cpp)
            for c, python, cpp in forms
        ]
        attribute.cache_clear()
    wrong = [f"{c.text()}  Python: {python}\n  C++:    {cpp}\n" for c, python, cpp in forms if python != cpp]
    print(f"{len(forms)} cases, {sum(not ops for _, (ops, _), _ in forms)} that compute nothing")
    assert not wrong, f"{len(wrong)} of {len(forms)} differ\n" + "\n".join(wrong[:10])
    assert other == FOLDED_IN_PYTHON


def test_every_operation_has_a_lit_test():
    folder = Path(__file__).parent.parent / "lit_tests" / "dialect"
    texts = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.mlir"))
    names = [op_name(cls) for cls in dialect_ops()]
    assert [n for n in names if not re.search(rf"= {n}[ (]", texts) or f'"{n}"' not in texts] == []


UNVERIFIED = """
from mlir import ir
from mind_mlir.dialects import register
from mind_mlir.dialects.encoding import dialect_ops, encoded_attributes, op_name

context = ir.Context()
register(context, prefer="native")
context.attach_diagnostic_handler(lambda diagnostic: True)
asked = answered = 0
with context, ir.Location.unknown():
    text = "func.func @f(%x: tensor<2x3xf32>, %y: tensor<?xf32>, %z: f32) { return }"
    module = ir.Module.parse(text)
    x, y, z = module.body.operations[0].regions[0].blocks[0].arguments
    values = [ir.UnitAttr.get(), ir.DenseI64ArrayAttr.get([0, 1]), ir.StringAttr.get("Same"), ir.BoolAttr.get(True)]
    for cls in dialect_ops():
        probe = type("Probe", (), {"OPERATION_NAME": op_name(cls)})
        face = ir.InferTypeOpInterface(probe, context=context)
        names = [a.name for a in encoded_attributes(cls)]
        given = [None, ir.DictAttr.get({}), *(ir.DictAttr.get(dict.fromkeys(names, v)) for v in values)]
        for operands in ([], [x], [x, x], [x, x, x], [x, x, x, x], [y], [z, z], [x, y], [x, x, z]):
            for attributes in given:
                asked += 1
                try:
                    face.inferReturnTypes(operands=operands, attributes=attributes)
                    answered += 1
                except ValueError:
                    pass
print(asked, answered)
"""


@pytest.mark.skipif(bool(find_native().fault), reason=f"no native build: {find_native().fault}")
def test_whoever_asks_for_a_type_without_verifying_gets_an_answer_or_an_error():
    done = subprocess.run([sys.executable, "-c", UNVERIFIED], capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr[-2000:]
    asked, answered = map(int, done.stdout.split())
    print(f"{asked} questions, {answered} answers")
    assert 0 < answered < asked
