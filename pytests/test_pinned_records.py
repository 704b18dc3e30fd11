"""Records of kernels in the text of the IR: what is written there is used, and what does not fit is refused."""

import re

import pytest
from support import error_of, outcome

from mind_mlir import lowering, parse  # noqa: F401  the first registers its passes
from mind_mlir.ir import Source
from mind_mlir.lowering.mlir.failure import MlirPassFailed
from mind_mlir.lowering.mlir.pass_driver import parse_mlir, pass_failed
from mind_mlir.passes import Level, Pipeline

MODULE = """\
%0 = Input {name = "x"} : tensor<f32[6, 24]>
%1 = Input {name = "w"} : tensor<f32[24, 40]>
%2 = MatMul (%0, %1) : tensor<f32[6, 40]>
%3 = Dot (%0, %4) : tensor<f32[6]>
%5 = Exp (%1) : tensor<f32[24, 40]>
%6 = Sum (%1) {axes = [0], keepdims = false} : tensor<f32[40]>
%7 = Transpose (%1) {permutation = [1, 0]} : tensor<f32[40, 24]>
outputs: %2, %3, %5, %6, %7
""".replace("%2 = ", '%4 = Input {name = "v"} : tensor<f32[24]>\n%2 = ')

TILE = "columns = 32 : i64, depth = 0 : i64, fused = true"
FORMED = re.sub(
    r'\{align = [^}]*kind = "contraction"[^}]*\}',
    f'{{align = false, block = 0 : i64, {TILE}, kind = "contraction", pack = false, rows = 3 : i64, unroll = 2 : i64}}',
    str(Pipeline.parse("lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels{cpu=avx512}").run(parse(MODULE))),
)
EXPAND = Pipeline.parse("expand-kernels{cpu=avx512}", Level.MLIR)
RECORDS = {re.search(r'kind = "(\w+)"', r)[1]: r for r in re.findall(r"mind\.strategy = (\{.*?\})", FORMED)}


def expanded(text):
    """The kernels as loops, or the error that says why not."""
    source = Source("kernels.mlir", text)
    try:
        return str(EXPAND.run(parse_mlir(source)))
    except MlirPassFailed as why:
        raise pass_failed(EXPAND, source, why) from None


def changed(kind, old, new):
    """The kernels with something else in the record of one of them."""
    record = RECORDS[kind]
    assert re.search(old, record)
    return FORMED.replace(record, re.sub(old, new, record))


def test_there_is_a_kernel_of_every_strategy():
    assert set(RECORDS) == {"contraction", "dots", "elementwise", "reduction", "transpose"}
    assert "linalg" not in expanded(FORMED)


@pytest.mark.parametrize(("rows", "height", "vectors"), [(1, 1, 1), (3, 3, 2), (6, 6, 1), (5, 3, 3)])
def test_the_tile_is_as_the_record_says(rows, height, vectors):
    """As high as the record allows, and all 6 rows cut as evenly as so many tiles can be: 3 and 3, not 5 and 1."""
    text = changed("contraction", r"columns = \d+", f"columns = {16 * vectors}")
    text = re.sub(r"(kind = \"contraction\".*?rows = )\d+", rf"\g<1>{rows}", text)
    body = expanded(text).split("@contraction0(")[-1]
    loop = max(re.findall(r"iter_args\((.*?)\)", body), key=len)
    assert loop.count("=") == height * vectors


VALUES = (-(10**12), -1, 0, 1, 2, 3, 4, 5, 7, 8, 16, 24, 32, 33, 1000, 10**12)
FIELDS = [
    (kind, name, value)
    for kind, record in RECORDS.items()
    for name, value in re.findall(r"(\w+) = (-?\d+) : i64", record)
]


@pytest.mark.parametrize(("kind", "name", "value"), FIELDS)
def test_any_number_in_a_record_is_used_or_refused(monkeypatch, tmp_path, kind, name, value):
    monkeypatch.chdir(tmp_path)  # reproducers go here
    found = {n: outcome(expanded, changed(kind, rf"\b{name} = {value} :", f"{name} = {n} :")) for n in VALUES}
    used = {n for n, result in found.items() if result[0] == "returns"} | {int(value)}
    assert {result[1] for result in found.values() if result[0] == "raises"} == {"E7008"}
    assert all("linalg." not in found[n][1] for n in used if n in found)
    assert not {-(10**12), -1} & used
    assert len(used) > 1, "the rules' is not the only one"


WRONG = {
    "no such strategy": (
        "contraction",
        '"contraction"',
        '"quick"',
        "no strategy is named quick; there are dots, contraction",
    ),
    "another strategy": ("contraction", r"\{.*\}", RECORDS["dots"], "the operations of the function are no dots"),
    "no kind": ("dots", 'kind = "dots", ', "", 'mind.strategy has kind = "…"'),
    "a number as kind": ("dots", '"dots"', "3 : i64", 'mind.strategy has kind = "…"'),
    "text alone": ("dots", r"\{.*\}", '"dots"', 'mind.strategy is {kind = …, …}, found "dots"'),
    "a field less": ("contraction", r"rows = \d+ : i64, ", "", "rows is missing"),
    "a field more": ("dots", r"rows =", "turns = 3 : i64, rows =", "found turns"),
    "text as a number": ("dots", r"rows = \d+ : i64", 'rows = "4"', 'rows is an i64, found "4"'),
    "a float as a number": ("dots", r"rows = \d+ : i64", "rows = 4.0 : f64", "rows is an i64, found 4.0"),
    "a list as a number": ("dots", r"rows = \d+ : i64", "rows = [4]", "rows is an i64, found [4]"),
    "yes as a number": ("dots", r"rows = \d+ : i64", "rows = true", "rows is an i64, found true"),
    "a number as yes": ("dots", r"fused = \w+", "fused = 1 : i64", "fused is true or false, found 1 : i64"),
    "columns between vectors": (
        "contraction",
        r"columns = \d+",
        "columns = 20",
        "columns are 1 to 8 vectors of 16, found 20",
    ),
    "no rows": ("contraction", r"rows = \d+", "rows = 0", "rows are 1 to 32 beside 32 columns, found 0"),
    "half a panel": ("contraction", r"block = \d+", "block = 48", "block is a multiple of the 32 columns"),
    "three vectors": ("dots", r"vectors = \d+", "vectors = 3", "vectors are 1, 2, 4 or 8, found 3"),
    "squares of three": ("transpose", r"lanes = \d+", "lanes = 3", "lanes are a power of 2 up to 16, found 3"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_record_that_does_not_fit_is_refused(monkeypatch, tmp_path, case):
    monkeypatch.chdir(tmp_path)
    kind, old, new, message = WRONG[case]
    error = error_of(expanded, changed(kind, old, new))
    assert error.code == "E7008"
    assert message in str(error)
    assert f"{kind}0: " in str(error), "the kernel is named"


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ('mind.threads = "two"', "mind.threads is an i64 above 0"),
        ("mind.threads = 0 : i64", "mind.threads is an i64 above 0, found 0 : i64"),
        ("mind.threads = -1 : i64", "mind.threads is an i64 above 0"),
        ('mind.numerics = "exact"', 'mind.numerics is one of default, strict, fast, found "exact"'),
        ("mind.numerics = 3 : i64", "mind.numerics is one of default, strict, fast"),
    ],
)
def test_modes_that_there_are_not_are_refused(attribute, message):
    error = error_of(expanded, FORMED.replace("{mind.strategy", f"{{{attribute}, mind.strategy", 1))
    assert error.code == "E7008"
    assert message in str(error)


@pytest.mark.parametrize("name", ["form-kernels", "expand-kernels", "expand-math"])
def test_a_cpu_that_there_is_not_is_refused(name):
    error = error_of(Pipeline.parse(f"lower-to-linalg,cpu-fuse,cpu-bufferize,{name}{{cpu=z80}}").run, parse(MODULE))
    assert error.code == "E7003"
    assert "no CPU is named z80" in str(error)
