"""Rules without MLIR: what they choose in a REPL is what the compiler chooses, and they say why."""

import dataclasses
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT
from limits import HUNG

from mind_mlir import Builder, DType, TensorType, f32
from mind_mlir.lowering.rules import __main__ as command, problems
from mind_mlir.lowering.rules.choice import written
from mind_mlir.lowering.rules.gpu_product_rules import candidates, choose_tiles
from mind_mlir.lowering.rules.loop_nest import LoopNest
from mind_mlir.lowering.rules.product_rules import choose_contraction
from mind_mlir.lowering.rules.tile_cost import column_cycles, cycles, reads, tile_heights
from mind_mlir.lowering.targets import cpus
from mind_mlir.lowering.targets.chips import find_chip
from mind_mlir.lowering.targets.cpus import AVX2, AVX512, CPUS, NOWHERE
from mind_mlir.passes import Pipeline

RULES = Path(problems.__file__).parent
sys.path.append(str(ROOT / "scripts"))  # where it finds what scripts share
readable = runpy.run_path(str(ROOT / "scripts" / "gen_records.py"))["_readable"]
PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")


def rows_of_the_page():
    """(CPU, operation, record) for every row of docs/records.md."""
    cpu = None
    for line in PAGE.splitlines():
        if found := re.match(r"### .* on (\w+)$", line):
            cpu = found[1]
        elif found := re.match(r"\| (.*\[.*) \| (.*) \|$", line):
            yield cpu, found[1], found[2]


def problem_of(text):
    """The problem that the page calls so."""
    shapes = [tuple(map(int, s.split(", "))) for s in re.findall(r"\[([\d, ]+)\]", text)]
    dtype = DType(found[1]) if (found := re.search(r" of (f64|i32)\b", text)) else DType.F32
    if " @ " in text:
        transposed = "left" if "]ᵀ @" in text else "right" if text.endswith("ᵀ") else ""
        return problems.matmul(*shapes, dtype, transposed)
    if " * " in text:
        return problems.convolution(*shapes, stride=int(text[-1]) if "stride" in text else 1)
    if found := re.search(r"over (.*)", text):
        axes = () if found[1] == "all" else tuple(map(int, found[1].split(", ")))
        return problems.total(*shapes, axes, dtype)
    if found := re.search(r"to axes (.*)", text):
        return problems.transpose(*shapes, tuple(map(int, found[1].split(", "))), dtype)
    name = text.split(" of ")[0]
    return problems.elementwise(*shapes, dtype, operands=2 if name in ("Add", "Mul", "Div") else 1)


def test_every_record_of_the_page_is_what_a_repl_says():
    rows = list(rows_of_the_page())
    assert len(rows) == 4 * 201
    wrong = []
    for cpu, text, record in rows:
        found = problems.choose(problem_of(text), CPUS[cpu])
        shown = "–" if found.record is None else written(found.kind, found.record)
        wrong += [] if shown == record else [f"{text} on {cpu}: {shown}, the page has {record}"]
    assert wrong == []


def test_every_choice_says_why_in_sentences_with_numbers():
    for cpu, text, _ in rows_of_the_page():
        found = problems.choose(problem_of(text), CPUS[cpu])
        assert found.why, text
        assert found.record is None or any(re.search(r"\d", reason) for reason in found.why), found
        assert all(reason.strip() == reason and len(reason.split()) > 3 for reason in found.why), found


def test_rules_load_no_mlir_and_no_numpy():
    modules = [f"mind_mlir.lowering.rules.{p.stem}" for p in sorted(RULES.glob("*.py")) if p.stem != "__init__"]
    program = f"""
import sys
import checkout
from importlib import import_module
for name in {modules}: import_module(name)
from mind_mlir.lowering.rules import problems
from mind_mlir.lowering.targets.chips import SM_90A
from mind_mlir.lowering.targets.cpus import AVX2
for p in (problems.matmul((64, 64), (64, 64)), problems.total((64, 64)), problems.transpose((64, 64), (1, 0))):
    assert problems.choose(p, AVX2).record is not None
assert problems.choose(problems.matmul_on_gpu((64, 64), (64, 64)), SM_90A).record is not None
print(sorted({{n.split(".")[0] for n in sys.modules}} & {{"mlir", "numpy"}}))
"""
    tests = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {tests!r})\n{program}"],
        capture_output=True,
        text=True,
        timeout=HUNG,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


# Reasons


def test_the_reasons_of_a_product_have_its_numbers():
    found = problems.choose(problems.matmul((130, 512), (512, 1024)), AVX2)
    text = str(found)
    assert "contraction: block=128 columns=16 depth=0 fused pack rows=5 unroll=2" in text
    assert "26 of 5 rows x 2 vectors; 10 vectors of sums grow at a time, 10 hide the latency" in text
    assert "packed: 130 rows on 2 MiB, where 64 pay for panels of more than 32 KiB" in text


def test_what_is_declined_says_why_each_strategy_declines():
    found = problems.choose(problems.transpose((3, 224, 224), (1, 2, 0)), AVX512)
    assert found.record is None
    assert [reason.split(":")[0] for reason in found.why] == ["not transpose", "not elementwise"]
    assert str(found).startswith("elementwise: declined\n  not transpose: ")


@pytest.mark.parametrize("cpu", [AVX512, AVX2], ids=lambda c: c.name)
@pytest.mark.parametrize("m", [1, 2, 5, 7, 31, 64, 100, 130, 1000])
def test_the_tile_of_the_rules_costs_least_by_the_function_that_the_tuner_asks_too(cpu, m):
    p = problems.matmul((m, 64), (64, 64))
    r = choose_contraction(p, cpu).record
    vectors = r.columns // cpu.lanes(DType.F32)
    columns = 64 // cpu.lanes(DType.F32)
    heights = cpu.tiles.packed if r.pack else cpu.tiles.plain
    costs = {
        n: cycles(p.rows, columns, n, vectors, cpu, r.pack) for n in range(1, min(heights[vectors - 1], p.rows) + 1)
    }
    best = min(costs, key=lambda n: (costs[n], -n))
    assert tile_heights(p.rows, best)[0][1] == r.rows


def test_columns_at_the_edge_cost_what_narrow_tiles_do():
    whole, edge = (column_cycles(100, 6, n, AVX2, True) for n in (2, 1))
    assert cycles(100, 5, 6, 2, AVX2, True) == 2 * whole + edge
    assert edge > whole / 2  # a single vector does not hide the latency
    assert reads(6, 2) < reads(12, 1)


def test_loops_that_walk_as_one_become_one():
    loops = LoopNest((4, 1, 5), (False, False, False), ((5, 7, 1), (5, 0, 1)))
    assert loops.simplified() == LoopNest((20,), (False,), ((1,), (1,)))


@pytest.mark.parametrize(("n", "threads"), [(64, 1), (96, 3), (1024, 8)])
def test_as_many_threads_as_pay_share_a_kernel(n, threads):
    p = problems.matmul((n, n), (n, n))
    found, why = problems.threads(p, problems.choose(p, AVX2), 8)
    assert found == threads
    assert f"{n**3} iterations" in why
    b = Builder()
    module = b.finish([b.MatMul(b.Input("x", f32(n, n)), b.Input("w", f32(n, n)))])
    stages = "lower-to-linalg{threads=8},cpu-fuse,cpu-bufferize,form-kernels{cpu=avx2}"
    kernel = next(line for line in str(Pipeline.parse(stages).run(module)).splitlines() if "mind.strategy" in line)
    compiled_for = re.search(r"mind\.threads = (\d+)", kernel)
    assert (int(compiled_for[1]) if compiled_for else 1) == threads


# Figures


@pytest.mark.parametrize("cpu", CPUS.values(), ids=lambda c: c.name)
def test_every_figure_of_a_cpu_says_where_it_comes_from(cpu):
    figures = [f.name for f in dataclasses.fields(cpu) if f.name not in ("name", "sources")]
    assert sorted(name for source in cpu.sources for name in source.figures) == sorted(figures)
    for source in cpu.sources:
        assert source.machine in (NOWHERE, cpus.UNMEASURED) or re.search(r"AMD|Intel|Arm", source.machine)
        for page in re.findall(r"docs/[\w./-]+", source.how):
            assert (ROOT / page).exists() or list((ROOT / "docs" / "adr").glob(f"{Path(page).name}-*.md")), page


def test_rules_ask_for_figures_not_for_kinds():
    for path in RULES.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\.registers\s*[<>=]|\.name\s*==|if .*\bcpu\.avx512", text), path


# GPUs


def compiled(m, chip, precision):
    """The record of the module's one kernel for a GPU, as docs/records.md would have it."""
    options = f"chip={chip} precision={precision}"
    stages = f"lower-to-linalg,gpu-fuse,turn-operands{{{options}}},cse,gpu-bufferize,form-gpu-kernels{{{options}}}"
    (found,) = re.findall(r"mind\.strategy = \{([^{}]*)\}", str(Pipeline.parse(stages).run(m)))
    return readable(found)


@pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
@pytest.mark.parametrize(("chip", "precision"), [("sm_80", "f32"), ("sm_80", "tf32"), ("sm_90a", "tf32")])
@pytest.mark.parametrize(
    ("m", "k", "n"),
    [(64, 64, 64), (2048, 2048, 2048), (128, 8192, 128), (100, 300, 200), (513, 511, 1025), (4096, 32, 16)],
)
def test_a_product_on_a_gpu_is_chosen_as_it_is_compiled(chip, precision, dtype, m, k, n):
    b = Builder()
    x, w = b.Input("x", TensorType(dtype, (m, k))), b.Input("w", TensorType(dtype, (n, k)))
    module = b.finish([b.MatMul(x, b.Transpose(w, (1, 0)))])
    found = problems.choose(problems.matmul_on_gpu((m, k), (n, k), dtype, "right"), find_chip(chip, precision))
    assert written(found.kind, found.record) == compiled(module, chip, precision)


@pytest.mark.parametrize(
    ("shape", "axes"),
    [((4096, 768), (1,)), ((1 << 20,), (0,)), ((1000, 10), (1,)), ((100, 300), (0,)), ((8, 9, 64), (0, 1))],
)
def test_a_sum_on_a_gpu_is_chosen_as_it_is_compiled(shape, axes):
    b = Builder()
    module = b.finish([b.Sum(b.Input("x", f32(*shape)), axes=axes, keepdims=False)])
    found = problems.choose(problems.total_on_gpu(shape, axes), find_chip("sm_80"))
    assert written(found.kind, found.record) == compiled(module, "sm_80", "f32")


def test_the_first_tile_that_fits_is_taken():
    p = problems.matmul_on_gpu((2048, 2048), (2048, 2048), transposed="right")
    chip = find_chip("sm_90a", "tf32")
    tried = list(candidates(p, chip, "default"))
    fitting = [record for record, why_not in tried if why_not is None]
    choice = choose_tiles(p, chip)
    assert choice.record == fitting[0]
    assert [r for r in choice.why if r.startswith("not ")] == [
        f"not {record}: {why_not}" for record, why_not in tried[: tried.index((fitting[0], None))]
    ]


# Commands


@pytest.mark.parametrize(
    "line",
    [
        "matmul 512x512x512 f32 --cpu avx2",
        "matmul 12x128x64x128 --cpu neon",
        "matmul 64x64x64 --transposed left --cpu avx512",
        "conv 1x56x56x64 3x3x64x64 --stride 2 --cpu sse2",
        "sum 128x768 --axes 1 --cpu avx512",
        "sum 128x768 --axes 1 --cpu avx512 --numerics strict",
        "elementwise 1000 f64 --operands 2 --cpu avx2",
        "transpose 64x64 --axes 1,0 --cpu avx2",
        "gather 100x64 10 --cpu avx2",
        "matmul 4096x4096x4096 --chip sm_90a --precision tf32 --transposed right",
        "sum 1000x1000 --chip sm_80",
        "matmul 512x512x512 --cpu avx2 --threads 8",
    ],
)
def test_the_command_prints_a_record_and_reasons(line, capsys):
    assert command.main(line.split()) == 0
    head, *reasons = capsys.readouterr().out.splitlines()
    assert re.match(r"\w+: \w+", head)
    assert reasons
    assert all(reason.startswith("  ") for reason in reasons)


def test_the_command_says_where_figures_come_from(capsys):
    assert command.main(["cpu", "avx2"]) == 0
    assert "AMD EPYC (Zen 3)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("matmul 5", "MxKxN"),
        ("matmul 5x5x5 --cpu z80", "error[E7003]"),
        ("matmul 5x5x5 --chip z80", "error[E7003]"),
        ("matmul 5xyx5", "extents are numbers"),
        ("sum 5 6", "takes 1"),
        ("transpose 5x6 --axes 0,0", "no permutation"),
        ("conv 1x5x5x3 3x3x4x4", "images"),
        ("conv 1x5x5x3 3x3x3x4 --chip sm_80", "rules for GPUs"),
        ("cpu z80", "error[E7003]"),
    ],
)
def test_the_command_says_what_is_no_problem(line, said, capsys):
    assert command.main(line.split()) == 2
    assert said in capsys.readouterr().err
