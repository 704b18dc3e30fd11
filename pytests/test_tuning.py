"""Tuning files: what is kept and what is refused, what a record changes, and that none changes a bit."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import commands
import numpy as np
import pytest
from support import error_of, with_record
from tuned_kernels import TEXT, M, W, X, Y, entry, kernel_of

import mind_mlir as mind
from mind_mlir.lowering.kernels import strategies
from mind_mlir.lowering.store import tuning_file as tuning
from mind_mlir.lowering.targets.cpus import host
from mind_mlir.lowering.tuning.trial import Bench, kernels_of
from mind_mlir.passes.pipeline import Pipeline

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="tuning needs processes that fork")


@pytest.fixture
def file(tmp_path):
    """A file with another record for the kernel of M."""
    path = tmp_path / "tuning.json"
    kernel = kernel_of(M)
    tuning.save(str(path), {kernel.key: entry(kernel, rows=3)})
    return path


def formed(path, m=M, numerics="default", threads=1):
    """The text after form-kernels."""
    text = f"lower-to-linalg{{numerics={numerics} threads={threads}}},cpu-fuse,cpu-bufferize,form-kernels"
    pipeline = Pipeline.parse(f"{text}{{tuning={path}}}" if path else text)
    return str(pipeline.run(m))


# Files


def test_a_file_gives_back_what_was_saved(tmp_path):
    path = str(tmp_path / "t.json")
    first, second = entry(kernel_of(M), rows=3), entry(kernel_of(M), rows=5, pack=True)
    tuning.save(path, {"a": first})
    tuning.save(path, {"b": second})
    assert tuning.load(path).entries == {"a": first, "b": second}
    assert os.listdir(tmp_path) == ["t.json"]
    assert sorted(first.operands) == ["37x40xf32", "37x50xf32", "40x50xf32"]
    assert (first.kind, first.dtype, first.numerics, first.threads) == ("contraction", "f32", "default", 1)


def test_the_larger_gain_of_two_runs_stays_and_a_new_measurement_replaces_the_old_one(tmp_path):
    path, kernel = str(tmp_path / "t.json"), kernel_of(M)
    good, poor = entry(kernel, rows=3), entry(kernel, seconds=1.9e-6, rows=5)
    tuning.save(path, {"a": poor})
    tuning.save(path, {"a": good})
    assert tuning.load(path).entries == {"a": good}
    tuning.save(path, {"a": poor})
    assert tuning.load(path).entries == {"a": good}
    tuning.save(path, {"a": poor}, replaced={"a": good})
    assert tuning.load(path).entries == {"a": poor}


def test_two_processes_save_at_once_and_nothing_is_lost(tmp_path):
    path, kernel = str(tmp_path / "t.json"), kernel_of(M)
    children = []
    for name in "abc":
        child = os.fork()
        if child == 0:
            try:
                for n in range(12):
                    tuning.save(path, {f"{name}{n}": entry(kernel, rows=3)})
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert set(tuning.load(path).entries) == {f"{name}{n}" for name in "abc" for n in range(12)}
    assert os.listdir(tmp_path) == ["t.json"]


def test_a_full_disk_loses_nothing(file):
    before = file.read_bytes()
    program = (
        "import resource, sys\n"
        "from mind_mlir.lowering.store import tuning_file as tuning\n"
        "entries = tuning.load(sys.argv[1]).entries\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))\n"
        "tuning.save(sys.argv[1], {f'more{n}': e for n in range(9) for e in entries.values()})\n"
    )
    start = f"import sys; sys.path.insert(0, {commands.HERE!r}); import checkout\n{program}"
    done = subprocess.run([sys.executable, "-c", start, file], capture_output=True, text=True)
    assert "MindError: error[E7005]: cannot write" in done.stderr
    assert "what was there has not changed" in done.stderr
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == ["tuning.json"]


def test_what_is_no_tuning_file_is_not_overwritten(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text('{"shopping": ["milk"]}')
    why = error_of(tuning.save, str(path), {"a": entry(kernel_of(M), rows=3)})
    assert why.code == "E7013"
    assert path.read_text() == '{"shopping": ["milk"]}'


def broken(change):
    """The text of a file whose one entry is changed."""
    e = dataclasses.asdict(entry(kernel_of(M), rows=3))
    data = {"format": 1, "kernels": {"key": e}}
    change(data, e)
    return json.dumps(data, indent=1)


FAULTS = [
    # what the message says, what the caret is at, the change
    ("kernels is an object, found []", '"kernels"', lambda d, e: d.update(kernels=[])),
    ("format 1 is expected, found true", '"format"', lambda d, e: d.update(format=True)),
    ('format 1 is expected, found "1"', '"format"', lambda d, e: d.update(format="1")),
    ("x.json has no field more; its fields: format, kernels", '"more"', lambda d, e: d.update(more=0)),
    ("x.json lacks format", "{", lambda d, e: d.pop("format")),
    ("key is an object, found null", '"key"', lambda d, e: d["kernels"].update(key=None)),
    ("key has no field speed; its fields: cpu, dtype", '"speed"', lambda d, e: e.update(speed=3)),
    ("key lacks record, threads", '"key"', lambda d, e: (e.pop("threads"), e.pop("record"))),
    ("kind is text, found 3", '"kind"', lambda d, e: e.update(kind=3)),
    ("threads is a positive integer, found 0", '"threads"', lambda d, e: e.update(threads=0)),
    ("threads is a positive integer, found true", '"threads"', lambda d, e: e.update(threads=True)),
    ("seconds is a positive number, found -1", '"seconds"', lambda d, e: e.update(seconds=-1)),
    ("seconds is a positive number, found Infinity", '"seconds"', lambda d, e: e.update(seconds=float("inf"))),
    ("seconds is a positive number, found NaN", '"seconds"', lambda d, e: e.update(seconds=float("nan"))),
    ('operands is a list of texts, found "4xf32"', '"operands"', lambda d, e: e.update(operands="4xf32")),
    ("record is an object, found [3]", '"record"', lambda d, e: e.update(record=[3])),
    ("rows is an integer, true, false or text, found 1.5", '"rows"', lambda d, e: e["record"].update(rows=1.5)),
    ("rows is an integer, true, false or text, found 1000", '"rows"', lambda d, e: e["record"].update(rows=10**40)),
]


@pytest.mark.parametrize(("message", "place", "change"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_malformed_file_is_an_error_with_its_place(message, place, change, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text(broken(change))
    why = error_of(tuning.load, "x.json")
    assert why.code == "E7013"
    assert message in why.message
    assert why.source.text[why.span.start : why.span.end] == place


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.json is not JSON: "),
        ("{", "x.json is not JSON: "),
        ('{"format": 1, "kernels": {}} x', "x.json is not JSON: "),
        ("[]", "x.json is an object, found []"),
        ('{"format": 1, "format": 1, "kernels": {}}', '"format" occurs twice in one object'),
        ("[" * 200_000, "x.json is no tuning file: it is nested too deep, or a number is too long"),
        ('{"format": ' + "1" * 5000 + "}", "x.json is no tuning file: it is nested too deep, or a number is too long"),
    ],
    ids=["empty", "open", "more", "list", "twice", "deep", "long"],
)
def test_text_that_is_no_tuning_file_is_an_error(text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text(text)
    why = error_of(tuning.load, "x.json")
    assert why.code == "E7013"
    assert why.message.startswith(message)


def test_bytes_that_are_no_text_are_an_error(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b"\xff\x00\x01")
    assert error_of(tuning.load, str(path)).code == "E1001"


# Their use


def test_a_record_of_a_file_takes_the_place_of_the_rules(file):
    assert "mind.tuned" not in formed(None)
    assert "rows = 3 : i64" in formed(file)
    assert formed(file).count("mind.tuned") == 1


def test_a_record_that_is_the_rules_own_changes_nothing(tmp_path):
    path, kernel = tmp_path / "t.json", kernel_of(M)
    tuning.save(str(path), {kernel.key: entry(kernel)})
    assert formed(path) == formed(None)


def test_other_shapes_modes_threads_and_cpus_have_other_keys(file):
    m = mind.parse(TEXT.replace("37", "38"))
    assert "mind.tuned" not in formed(file, m)
    assert "mind.tuned" not in formed(file, numerics="strict")
    text = "lower-to-linalg,cpu-fuse,cpu-bufferize,form-kernels"
    cpus = [str(Pipeline.parse(f"{text}{{cpu={cpu} tuning={file}}}").run(M)) for cpu in ("sse2", "avx2", "avx512")]
    assert sum("mind.tuned" in text for text in cpus) == (host().name in ("sse2", "avx2", "avx512"))
    big = mind.parse(TEXT.replace("37", "128").replace("40", "128").replace("50", "128"))
    assert kernel_of(big, threads=2).key != kernel_of(big).key
    assert kernel_of(M, threads=2).key == kernel_of(M).key, "a small kernel is for one thread in any case"


def test_an_entry_that_was_measured_against_another_rule_is_passed_over(file, monkeypatch):
    s = strategies.STRATEGIES["contraction"]

    def choose(*given):
        return with_record(s.choose(*given), rows=2)

    monkeypatch.setitem(strategies.STRATEGIES, "contraction", dataclasses.replace(s, choose=choose))
    assert "rows = 2 : i64" in formed(file)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rows": 0}, "rows are 1 to"),
        ({"rows": 10**6}, "rows are 1 to"),
        ({"columns": 17}, "columns are 1 to 8 vectors"),
        ({"depth": -1}, "depth is a number of terms"),
        ({"block": 5}, "block is a multiple of"),
        ({"unroll": 0}, "unroll is 1 to"),
        ({"unroll": True}, "unroll of a contraction is an integer"),
        ({"pack": 1}, "pack of a contraction is true or false"),
        ({"fused": False}, "fused decides the bits of results"),
        ({"more": 1}, "a record of a contraction has the fields"),
    ],
)
def test_a_record_that_a_kernel_cannot_have_is_an_error(changed, message, tmp_path):
    path, kernel = str(tmp_path / "t.json"), kernel_of(M)
    tuning.save(path, {kernel.key: entry(kernel, **changed)})
    why = error_of(lambda: mind.compile(M, tuning=path))
    assert why.code == "E7013"
    assert message in why.message
    assert why.source.name == path


def test_how_many_vectors_a_dot_product_is_summed_in_is_not_for_tuning(tmp_path):
    m = mind.parse(
        '%0 = Input {name = "x"} : tensor<f32[300]>\n%1 = Input {name = "y"} : tensor<f32[300]>\n'
        "%2 = Dot (%0, %1) : tensor<f32[]>\noutputs: %2\n"
    )
    path, kernel = str(tmp_path / "t.json"), kernel_of(m)
    assert kernel.kind == "dots"
    tuning.save(path, {kernel.key: entry(kernel, vectors=1)})
    assert "vectors decides the bits" in error_of(lambda: mind.compile(m, tuning=path)).message


def test_compile_and_jit_take_a_file_and_the_environment_names_one(file, monkeypatch):
    for numerics in ("default", "strict"):
        (expected,) = mind.compile(M, numerics=numerics)(X, W)
        (found,) = mind.compile(M, numerics=numerics, tuning=file)(X, W)
        assert np.array_equal(found, expected)
    assert np.array_equal(mind.jit(lambda x, w: mind.relu(x @ w), tuning=str(file))(X, W), Y)
    monkeypatch.setenv("MIND_TUNING", str(file.parent / "none.json"))
    assert error_of(lambda: mind.compile(M)).code == "E7004"
    assert error_of(lambda: mind.jit(lambda x: x * x)(X)).code == "E7004"
    mind.compile(M, target="interpret")
    mind.compile(M, tuning="off")
    mind.compile(M, tuning=file)
    monkeypatch.setenv("MIND_TUNING", "off")
    mind.compile(M)
    assert error_of(lambda: mind.compile(M, tuning=3)).code == "E7007"
    assert error_of(lambda: mind.jit(lambda x: x, tuning=b"x")).code == "E7007"


def test_libraries_are_made_with_the_records_of_a_file(file):
    from mind_mlir.lowering.interface.codegen import Options, llvm_ir

    assert llvm_ir(M) == llvm_ir(M)
    assert llvm_ir(M, Options(tuning=str(file))) != llvm_ir(M)


def test_code_that_is_kept_on_disk_is_that_of_the_file(file, tmp_path, monkeypatch):
    from mind_mlir.lowering.store import cache
    from mind_mlir.lowering.toolchain import linker

    folder = tmp_path / "cache"
    monkeypatch.setenv("MIND_CACHE", str(folder))
    if cache.cache_folder() is None or linker.find_linker() is None:
        pytest.skip("compiled code is not kept here")

    def kept():
        return len(list(folder.glob("*.so")))

    mind.compile(M)
    mind.compile(M, tuning=file)
    mind.compile(M, tuning=file)
    assert kept() == 2
    kernel = kernel_of(M)
    tuning.save(str(file), {kernel.key: entry(kernel, seconds=1e-7, rows=5)})
    assert np.array_equal(mind.compile(M, tuning=file)(X, W)[0], Y)
    assert kept() == 3


def test_a_path_with_blanks_and_braces_stays_in_a_pipeline(tmp_path):
    steps = Pipeline.parse("lower-to-linalg,cpu-kernels").steps
    pipeline = Pipeline(tuple(s.with_option("tuning", "/a b/{c},d.json") for s in steps))
    assert Pipeline.parse(str(pipeline)) == pipeline


# Candidates


def alone(opcode, *shapes, dtype="f32", **attributes):
    """The module of one operation on Inputs of these shapes."""
    b = mind.Builder()
    inputs = [b.Input(f"x{n}", mind.TensorType(mind.DType(dtype), shape)) for n, shape in enumerate(shapes)]
    return b.finish([getattr(b, opcode)(*inputs, **attributes)])


def with_transposed_operand():
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(37, 40)), b.Input("w", mind.f32(50, 40))
    return b.finish([b.MatMul(x, b.Transpose(w, permutation=[1, 0]))])


PROBLEMS = {
    "contraction": [
        (M, "strict"),
        (with_transposed_operand(), "default"),
        (alone("Conv2d", (1, 6, 7, 5), (3, 3, 5, 20), padding="Same", strides=[1, 1]), "default"),
    ],
    "dots": [(alone("Dot", (7, 50), (50,)), "default")],
    "elementwise": [(alone("Exp", (3, 100)), "default"), (alone("Mul", (9, 5), (5,), dtype="f64"), "strict")],
    "transpose": [(alone("Transpose", (65, 130), permutation=[1, 0]), "default")],
    "reduction": [
        (alone("Sum", (33, 70), axes=[0], keepdims=False), "default"),
        (alone("Sum", (9, 700), axes=[1], keepdims=False), "default"),
        (alone("Sum", (33, 70), axes=[0], keepdims=False), "strict"),
    ],
    "positions": [
        (alone("ArgMax", (9, 700), axis=1, keepdims=False), "default"),
        (alone("ArgMin", (3, 5, 260), axis=2, keepdims=True, dtype="f64"), "strict"),
    ],
}


@pytest.mark.parametrize("kind", PROBLEMS)
def test_no_candidate_changes_a_bit(kind):
    for m, numerics in PROBLEMS[kind]:
        kernel = next(k for k in kernels_of(m, numerics, 1) if k.kind == kind)
        bench = Bench(m, numerics, 1, kernel, kernel.rule)
        near = bench.near(kernel.rule)
        assert near
        assert kernel.rule not in near
        for record in near[:: max(1, len(near) // 2)]:
            assert bench.agrees(bench.code(record)), record


def test_every_strategy_has_candidates_that_are_tested_here():
    assert set(PROBLEMS) == set(strategies.STRATEGIES)


def test_a_candidate_with_other_results_is_out_of_the_question():
    kernel = kernel_of(M)
    bench = Bench(M, "default", 1, kernel, kernel.rule)
    bench.expected[0][3] += 1
    assert bench.trial({**kernel.rule, "unroll": 1}).failure == "its results differ from those of the rules' record"
