"""The benchmark suite: cases agree with NumPy, the report says what was measured, the command answers."""

import importlib.util
import math
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from checkout import ROOT
from limits import HUNG

sys.path.insert(0, str(ROOT))
from benchmarks import calls
from benchmarks.cpu import bars, plot, report
from benchmarks.cpu.cases import FAMILIES, LARGEST, RANDOM, Case, family_of, select
from benchmarks.cpu.costs import CACHED, COMPILE, COMPILED, Cost
from benchmarks.cpu.peers import ALIGNMENT, arguments, load
from benchmarks.cpu.probe import PROBES, SMALL
from benchmarks.cpu.results import Results
from benchmarks.cpu.timing import OURS, QUICK, Measurement, Worker, WorkerError, difference, environment, measure
from benchmarks.pages import get

LARGER = ("cnn-forward", "cnn-gradient", "conv3x3-batch8")
"""Families that are others with larger extents; compiling them again shows nothing new."""
WITHOUT_NUMPY = {"erf": math.erf}
SMALLEST = [min(f.cases, key=lambda c: c.problem.work) for f in FAMILIES if f.name not in LARGER]


def benchmarks(*words, **more):
    """Run the command to its end."""
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HUNG, **more)


def results_of(prepared):
    return prepared.read(prepared.call())


# Cases


def case_in_numpy(case, inputs):
    """The results of a case in NumPy, or in Python where NumPy has no function."""
    if (prepared := load("numpy")(1).prepare(case, inputs)) is not None:
        return results_of(prepared)
    return [np.vectorize(WITHOUT_NUMPY[case.kind], otypes=[inputs[0].dtype])(*inputs)]


@pytest.mark.parametrize("case", SMALLEST, ids=lambda c: c.name)
def test_native_code_and_numpy_agree_on_the_smallest_size(case):
    inputs = arguments(case.problem)
    ours = results_of(load("mind")(1).prepare(case, inputs))
    theirs = case_in_numpy(case, inputs)
    assert ours
    assert difference(theirs, ours, case.problem.tolerance) == ""


def test_names_of_cases_are_unique():
    names = [c.name for c in select(threads=1, cores=2)]
    assert len(names) == len(set(names))


def test_every_family_with_a_series_has_four_sizes_or_more_and_grows():
    for family in FAMILIES:
        work = [c.problem.work for c in family.cases]
        assert all(w > 0 for w in work), family.name
        if family.series:
            assert len(work) >= 4, family.name
            assert sorted(set(work)) == work, family.name


def test_labels_for_quick_runs_and_for_two_threads_exist():
    for family in FAMILIES:
        assert set(family.quick) | set(family.two_threads) <= set(family.sizes), family.name


def test_forty_random_shapes_are_the_same_on_every_run():
    shapes = [tuple(c.parameters.values()) for c in family_of(RANDOM).cases]
    assert len(set(shapes)) == 40
    assert all(1 <= n <= LARGEST for shape in shapes for n in shape)
    assert (shapes[0], shapes[-1]) == ((2, 30, 1), (405, 952, 285))


def test_cases_are_measured_on_arrays_behind_a_line_and_with_results_made_anew():
    names = [c.name for c in select("matmul/*", cores=1)]
    assert {"matmul/256", "matmul/256+16", "matmul/256+new"} <= set(names)
    assert [c.name for c in select("chain/64k+16")] == ["chain/64k+16"]
    assert not any("+" in c.name for c in select(threads=2))
    for family in FAMILIES:
        assert set(family.arrays) <= set(family.sizes), family.name


@pytest.mark.parametrize("offset", [0, 16, 48])
@pytest.mark.parametrize("allocates", [False, True])
def test_arrays_and_given_results_lie_where_the_case_says(offset, allocates):
    case = Case("any", "any", "matmul", {"m": 3, "k": 4, "n": 70_000}, offset=offset, allocates=allocates)
    inputs = arguments(case.problem, offset=offset)
    assert all(a.ctypes.data % ALIGNMENT == offset for a in inputs)
    for name in ("mind", "numpy"):
        prepared = load(name)(1).prepare(case, inputs)
        first, second = (results_of(prepared)[0] for _ in range(2))
        assert np.array_equal(first, second)
        assert np.shares_memory(first, second) != allocates, name
        assert allocates or first.ctypes.data % ALIGNMENT == offset, name


@pytest.mark.parametrize("offset", [0, 16])
@pytest.mark.parametrize("allocates", [False, True])
def test_code_for_a_named_cpu_agrees_with_numpy(offset, allocates):
    case = Case("any", "any", "conv", next(iter(family_of("conv3x3").sizes.values())), 1, offset, allocates)
    inputs = arguments(case.problem, offset=offset)
    ours = results_of(load("mind")(1, "x86-64-v2").prepare(case, inputs))
    theirs = results_of(load("numpy")(1).prepare(case, inputs))
    assert difference(theirs, ours, case.problem.tolerance) == ""


@pytest.mark.parametrize(("name", "label"), [("mkl", "matmul-batch/32"), ("onednn", "conv7x7-stride2/56x56x3")])
@pytest.mark.parametrize("allocates", [False, True])
def test_libraries_agree_with_numpy_where_they_are_installed(name, label, allocates):
    family, _, size = label.partition("/")
    case = Case(family, size, family_of(family).kind, family_of(family).sizes[size], allocates=allocates)
    try:
        peer = load(name)(1)
    except ImportError as why:
        pytest.skip(str(why))
    inputs = arguments(case.problem)
    prepared = peer.prepare(case, inputs)
    theirs, ours = results_of(prepared), results_of(load("numpy")(1).prepare(case, inputs))
    assert difference(theirs, ours, case.problem.tolerance) == ""
    assert peer.version.split()[0] == name
    assert (results_of(prepared)[0] is theirs[0]) != allocates


def test_a_library_that_is_nowhere_is_left_out(monkeypatch, tmp_path):
    from benchmarks.cpu.peers import libraries

    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libnonesuch.so").write_text("no library")
    with pytest.raises(ImportError, match="no library nonesuch"):
        libraries.opened("nonesuch")


def test_rates_on_other_arrays_stand_beside_those_on_aligned_ones():
    usual, *others = select("matmul/64*", cores=1)
    results = Results(measurements=[Measurement(c, {OURS: [t]}) for c, t in ((usual, 2.0), *zip(others, (2.5, 4.0)))])
    assert [(m.case.name, same.case.name) for m, same in results.beside_usual()] == [
        ("matmul/64+16", "matmul/64"),
        ("matmul/64+new", "matmul/64"),
    ]
    text = report.markdown(results)
    assert re.search(r"matmul/64\+16 +\| +2 s \| +2.5 s \| 0.80", text)
    bar = next(v for v in bars.judge(results) if "after a line" in v.bar.what)
    assert (bar.found.value, bar.found.where, bar.met) == (0.8, "matmul/64+16", False)
    assert [m.case.name for m in results.of(["matmul/*"])] == ["matmul/64"], "other bars are about aligned arrays"


def test_a_glob_names_cases_with_and_without_their_threads():
    assert [c.name for c in select("matmul/2048", cores=2)] == ["matmul/2048", "matmul/2048@2"]
    assert [c.name for c in select("matmul/1024@2", cores=2)] == ["matmul/1024@2"]
    assert [c.name for c in select("matmul/1024", cores=1)] == ["matmul/1024", "matmul/1024+16", "matmul/1024+new"]
    assert [c.name for c in select("matmul/1024", threads=3)] == ["matmul/1024@3"]


def test_every_glob_of_a_bar_names_cases():
    names = [f"{c.family}/{c.label}" for c in select()]
    alone = Results(measurements=[Measurement(c) for c in select(cores=2)])
    for globs in (bars.MEMORY_BOUND, bars.CONVOLUTIONS, bars.EXP_LOG, bars.LARGE_MATMUL, bars.MLP, bars.CNN):
        for glob in globs:
            assert alone.of([glob]), glob
    assert len(alone.of(bars.TWO, 2)) == len(bars.TWO)
    assert set(COMPILED) <= set(names)


def test_arguments_are_aligned_and_the_same_in_every_process():
    problem = Case("any", "any", "chain", {"n": 7}).problem
    first, second = arguments(problem), arguments(problem)
    for a, b in zip(first, second):
        assert a.ctypes.data % ALIGNMENT == 0
        assert np.array_equal(a, b)
    assert not np.array_equal(first[0], first[1])


# Measuring


def test_a_difference_is_found_in_shape_dtype_number_and_nan():
    x = np.float32([1, 2])
    assert difference([x], [x], 0.0) == ""
    assert "shapes" in difference([x[:1]], [x], 1.0)
    assert "float64" in difference([x.astype(np.float64)], [x], 1.0)
    assert "differs" in difference([x + 1e-3], [x], 1e-4)
    assert "differs" in difference([x * np.float32(np.nan)], [x], 1e-4)


def test_a_case_is_timed_in_rounds_beside_its_peers():
    workers = [Worker(name, 1) for name in ("mind", "numpy", "memory")]
    try:
        m = measure(SMALL, workers, replace(QUICK, budget=1e6))  # as many rounds on a machine that is busy
        assert m.notes == {}
        assert {name: len(times) for name, times in m.times.items()} == dict.fromkeys(m.times, QUICK.rounds)
        assert list(m.times) == ["mind", "numpy", "memory"]
        assert all(0 < t < 1e-3 for times in m.times.values() for t in times)
        assert m.against_best == m.ratio("numpy")
        with pytest.raises(WorkerError, match="nothing"):
            workers[1].ask("prepare", Case("any", "any", "nothing", {}))
        workers[0].stop()
        assert measure(SMALL, workers, QUICK).notes == {}, "a process that has ended is started again"
    finally:
        for worker in workers:
            worker.stop()


def test_single_thread_is_in_the_environment_before_anything_is_imported():
    env = environment(1)
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MIND_NUM_THREADS", "NPROC")
    assert [env[n] for n in names] == ["1"] * 5
    assert "multi_thread_eigen=false" in env["XLA_FLAGS"]
    assert env["MIND_CACHE"] == "off"


def test_peers_have_the_instructions_of_the_cpu_that_is_named(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    env = environment(1, "haswell")
    assert [env[n] for n in ("MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA")] == ["AVX2", "AVX2"]
    assert (env["ATEN_CPU_CAPABILITY"], env["OPENBLAS_CORETYPE"]) == ("avx2", "Haswell")
    assert "--xla_cpu_max_isa=AVX2" in env["XLA_FLAGS"]
    assert "OPENBLAS_CORETYPE" not in environment(1), "what the environment says of kernels is for nobody's figures"


@pytest.mark.parametrize(("cpu", "said"), [("nonesuch", "no CPU named nonesuch"), ("znver4", "AVX2 alone")])
def test_a_cpu_that_peers_cannot_be_held_to_is_refused(cpu, said):
    done = benchmarks("cpu", "--cpu", cpu)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from the kernel's account")
def test_the_peak_of_a_call_is_at_least_what_it_returns():
    case = Case("any", "any", "exp", {"n": 1 << 22, "dtype": "f32"})
    size = case.problem.written
    program = (
        f"from benchmarks.cpu.probe import *; from benchmarks.cpu.probe import Case, load\n"
        f"print(peak(load('mind')(1), Case('any', 'any', 'exp', {dict(case.parameters)!r})))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    assert 0.98 * size <= float(done.stdout) <= 2 * size


def test_first_call_includes_compilation():
    peer = load("mind")(1)
    case = Case("any", "any", "chain", {"n": 100})
    assert PROBES["first"](peer, case) > 0.5 * PROBES["compile"](peer, case) > 0


# The report


def measured(name, ours, **peers):
    """A measurement with these seconds."""
    family, _, label = name.partition("/")
    case = next(c for c in family_of(family).cases if c.label == label)
    return Measurement(case, {OURS: [ours] * 3, **{p: [t] * 3 for p, t in peers.items()}})


def sample_results():
    sizes = family_of("matmul").sizes
    cubes = [
        measured(f"matmul/{n}", int(n) ** 3 * 1e-9, torch=int(n) ** 3 * 2e-9, jax=int(n) ** 3 * 3e-9) for n in sizes
    ]
    others = [
        measured("exp-f32/1M", 2e-3, numpy=1e-3, torch=1.5e-3),
        measured("call/3-arguments", 1e-6, numpy=2e-6),
        measured(f"{RANDOM}/{next(iter(family_of(RANDOM).sizes))}", 1e-6, torch=1e-6),
    ]
    costs = [Cost(f"compile {n}", "ms", {OURS: 90.0, "jax": 100.0, COMPILE: 80.0, CACHED: None}) for n in COMPILED]
    return Results(1, "a command", measurements=cubes + others, costs=costs, asked=15)


def met(results):
    return {v.bar.what: v.met for v in bars.judge(results)}


def test_every_bar_is_met_or_not_by_its_figures():
    found = met(sample_results())
    assert found["matmul 256³ to 2048³, smallest against torch (MKL)"] is True
    assert found["exp and log, smallest against torch"] is False
    assert found["smallest ratio to the best peer"] is False
    assert found["geometric mean of all cases against the best peer of each"] is True
    assert found["a call with three arguments"] is True
    assert found["compile a single operation, the slowest"] is True
    assert found["first call, largest over JAX's"] is True
    assert found["compile from the cache, the slowest"] is False
    assert found["MLP gradient, against JAX"] is None
    assert found["MLP gradient, peak memory over JAX's"] is None


def test_a_cost_that_a_quick_run_leaves_out_is_not_measured():
    r = sample_results()
    r.costs = [Cost(f"compile {COMPILED[-1]}", "ms", {OURS: 90.0, "jax": 100.0, COMPILE: 80.0})]
    found = met(r)
    assert found["compile from the cache, the slowest"] is None
    assert found["compile the MLP gradient"] is True


def test_a_run_on_a_machine_at_work_says_so():
    r = sample_results()
    assert "Others were at work" not in report.markdown(r)
    r.load = 2.0
    assert "Others were at work on the machine, 2.0 processes" in report.markdown(r)


def test_a_bar_is_not_met_where_a_case_failed_or_peers_disagree():
    what = "matmul 256³ to 2048³, smallest against torch (MKL)"
    failed = sample_results()
    m = failed.of(["matmul/512"])[0]
    m.times.clear()
    m.notes[OURS] = "MindError: why"
    assert met(failed)[what] is False
    assert "- matmul/512, mind: MindError: why" in report.markdown(failed)
    disagreeing = sample_results()
    disagreeing.of(["matmul/512"])[0].disagree.append("jax")
    assert met(disagreeing)[what] is False


def test_random_shapes_count_once_in_the_mean():
    from benchmarks.cpu.results import suite_ratios

    r = sample_results()
    before = len(suite_ratios(r))
    r.measurements += [measured(f"{RANDOM}/{label}", 1e-6, torch=1e-6) for label in list(family_of(RANDOM).sizes)[1:5]]
    assert len(suite_ratios(r)) == before == 11


def test_cost_that_is_proportional_to_the_work_has_the_power_one():
    r = sample_results()
    assert report.exponent(r.of(["matmul/*"])) == pytest.approx(1.0)
    assert report.exponent(r.of(["exp-f32/*"])) is None


def test_the_report_shows_ratios_bars_powers_and_costs():
    text = report.markdown(sample_results())
    rows = {
        line.split("|")[1].strip(): [c.strip() for c in line.split("|")[2:-1]]
        for line in text.splitlines()
        if "|" in line
    }
    assert rows["case"] == ["median", "best", "rate", "vs torch", "vs jax", "vs numpy", "vs best peer"]
    assert rows["matmul/1024"] == ["1.07 s", "1.07 s", "2 GFLOP/s", "2.00", "3.00", "–", "2.00"]
    assert rows["exp-f32/1M"][3:] == ["0.75", "–", "0.50", "0.50"]
    assert rows["matmul"] == ["16 … 2048", "8", "1.00"]
    assert rows["exp and log, smallest against torch"] == ["≥ 1", "0.75", "no", "exp-f32/1M"]
    assert rows["compile matmul/256, ms"] == ["90.0", "100.0", "80.0", "–"]
    assert "Interrupted" not in text


def test_an_interrupted_run_says_how_far_it_came():
    r = sample_results()
    r.asked = 20
    assert "**Interrupted after 15 of 20 steps.**" in report.markdown(r)


def test_the_report_stands_between_the_markers_of_the_page(tmp_path):
    page, picture = tmp_path / "page.md", tmp_path / "picture.svg"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    for _ in range(2):
        report.write("new", plot.svg(sample_results()), page, picture)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{report.BEGIN}\nnew\n")
    assert text.endswith(f"(picture.svg)\n{report.END}\nafter\n")
    assert "old" not in text
    page.write_text("no markers", encoding="utf-8")
    with pytest.raises(ValueError, match="no <!-- cpu: begin -->"):
        report.write("new", "", page, picture)


def test_the_picture_has_a_dot_for_each_peer_of_each_family():
    root = ElementTree.fromstring(plot.svg(sample_results()))
    titles = [t.text for t in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "matmul, torch: 2.00" in titles
    assert "exp-f32, numpy: 0.50" in titles
    assert len(titles) == 1 + 6


def test_the_page_has_the_markers():
    text = report.PAGE.read_text(encoding="utf-8")
    assert 0 < text.find(report.BEGIN) < text.find(report.END)
    for name in ("frontend", "start", "calls", "compile"):
        assert "|---" in get(report.PAGE, name)


# The command


@pytest.mark.parametrize("words", [["--help"], ["cpu", "--help"], ["frontend", "--help"]], ids=" ".join)
def test_help_answers(words):
    done = benchmarks(*words)
    assert done.returncode == 0, done.stderr
    assert "Usage: python -m benchmarks" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [(["--peers", "numpy,fortran"], "no peer is named fortran"), (["--cases", "none/*"], "no case matches 'none/*'")],
)
def test_a_peer_or_case_that_does_not_exist_is_wrong_usage(words, told):
    done = benchmarks("cpu", *words)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_quick_run_prints_its_tables_and_leaves_out_peers_that_are_not_installed():
    done = benchmarks("cpu", "--quick", "--cases", "call/*", "--peers", "numpy,iree")
    assert done.returncode == 0, done.stderr
    assert "| call/3-arguments " in done.stdout
    assert "Memory alone: read " in done.stdout
    assert ("iree is left out: No module named 'iree'" in done.stderr) == (importlib.util.find_spec("iree") is None)


def test_an_interrupt_reports_what_was_measured():
    command = [
        sys.executable,
        "-m",
        "benchmarks",
        "cpu",
        "--cases",
        "call*/*",
        "--cases",
        "matmul*/*",
        "--peers",
        "numpy",
    ]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stderr.readline().startswith("1/")
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=HUNG)
    assert run.returncode == 130, err
    assert "Interrupted after " in out
    assert "| matmul/16 " in out
    assert "Traceback" not in err


# Calls


def test_calls_are_measured_beside_numpy_and_told_against_their_bars():
    done = benchmarks("calls", "--quick")
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines()[2:]]
    assert {"numpy.add(x, y)", *calls.BARS} <= set(rows)


def test_the_cost_of_the_loop_is_no_part_of_a_call():
    found = calls.measured({calls.BASE: lambda: None, "a thousand times more": lambda: sum(range(1000))}, 5, 200)
    assert found[calls.BASE] < found["a thousand times more"] / 10
    table = calls.report({calls.BASE: 0.4, "exe(x, y)": 0.1, "jit(f)(x, y)": 0.8})
    assert [line.split("|")[3:6] for line in table.splitlines()[2:]] == [
        [" 1.00 ", "  ", "  "],
        [" 0.25 ", " 0.15 ", " yes "],
        [" 2.00 ", " 0.60 ", " no "],
    ]
