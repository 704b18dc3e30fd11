"""Records of GPU kernels in MLIR text: others than the rules' are taken, and bad ones are refused with their field."""

import re

import pytest
from support import error_of

import mind_mlir as mind
from mind_mlir import Builder, f32, f64
from mind_mlir.cli._pipeline_run import PipelineRun
from mind_mlir.ir import Source
from mind_mlir.lowering.targets.chips import CHIPS, find_chip
from mind_mlir.passes.pipeline import Pipeline
from mind_mlir.passes.registry import Level


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Reproducers are written where the command runs."""
    monkeypatch.chdir(tmp_path)


FORMED = "lower-to-linalg,gpu-fuse,gpu-bufferize,form-gpu-kernels"


def formed(build, options=""):
    """The text of a module whose kernels name their records."""
    b = Builder()
    m = b.finish([build(b)])
    pipeline = Pipeline.parse(FORMED + (f"{{{options}}}" if options else ""))
    return str(pipeline.run(m))


def expanded(text):
    """The module after the rest of gpu-kernels."""
    rest = Pipeline.parse("split-gpu-sums,expand-gpu-kernels,canonicalize,cse,outline-gpu-kernels", Level.MLIR)
    return PipelineRun(rest, [], False, False).one(Source("kernels.mlir", text))


def product(b):
    return b.Input("x", f32(100, 70)) @ b.Input("y", f32(70, 90))


def chain(b):
    return b.Relu(b.Input("x", f32(33, 64)))


def odd_chain(b):
    return b.Relu(b.Input("x", f32(33, 5)))


def rows(b):
    return b.Sum(b.Input("x", f32(33, 640)), (1,), False)


def turned(b):
    return b.Transpose(b.Input("x", f32(33, 40)), (1, 0))


@pytest.mark.parametrize(
    ("build", "change"),
    [
        (product, {"rows": 128, "columns": 32, "part_rows": 8}),
        (product, {"depth": 8}),
        (chain, {"lanes": 1, "threads": 64}),
        (rows, {"lanes": 32, "sums": 8}),
        (rows, {"terms": 1}),
        (rows, {"parts": 4}),
        (turned, {"rows": 32}),
    ],
)
def test_another_record_is_taken(build, change):
    assert "gpu.func" in str(expanded(changed(formed(build), change)))


def changed(text, change):
    for name, value in change.items():
        text, count = re.subn(rf"\b{name} = \d+ : i64", f"{name} = {value} : i64", text)
        assert count, f"no field {name} in the text"
    return text


@pytest.mark.parametrize(
    ("build", "change", "says"),
    [
        (product, {"part_rows": 3}, "part_rows is a multiple of 4, found 3"),
        (product, {"rows": 62}, "rows is a multiple of part_rows, found 62 and 4"),
        (product, {"rows": 8, "columns": 8}, "a block has 32 to 1024 threads, in warps, found 4"),
        (product, {"depth": 12}, "depth"),
        (
            product,
            {"rows": 256, "columns": 256, "part_rows": 16, "part_columns": 16, "depth": 64},
            "of shared memory, this takes 266240",
        ),
        (chain, {"threads": 48}, "threads, in warps, found 48"),
        (chain, {"lanes": 3}, "found 3"),
        (odd_chain, {"lanes": 4}, "where memory is aligned, found 4"),
        (rows, {"lanes": 3}, "lanes is a power of two, found 3"),
        (rows, {"parts": 0}, "a sum has 1 to"),
        (rows, {"terms": 2}, "found 2"),
        (turned, {"rows": 5}, "rows divides 32, found 5"),
    ],
)
def test_a_record_that_cannot_be_used_is_refused(build, change, says):
    text = changed(formed(build), change)
    error = error_of(expanded, text)
    assert error.code == "E7008"
    assert says in str(error)


def test_a_record_of_another_strategy_or_none_is_refused():
    text = formed(chain)
    for old, new, says in (
        ('kind = "elements"', 'kind = "product"', "are no product"),
        ('kind = "elements"', 'kind = "tiles"', "no strategy is named tiles"),
        ("threads = 256 : i64", "", "threads is missing"),
    ):
        assert says in str(error_of(expanded, re.sub(r", }", "}", text.replace(old, new))))


def test_tensor_cores_are_for_what_they_multiply():
    assert 'instruction = "mma"' in formed(product, "precision=tf32")
    assert 'instruction = "scalar"' in formed(product)
    integers = lambda b: b.Input("x", mind.i32(100, 70)) @ b.Input("y", mind.i32(70, 90))  # noqa: E731
    assert 'instruction = "scalar"' in formed(integers, "precision=tf32")
    doubles = lambda b: b.Input("x", f64(100, 70)) @ b.Input("y", f64(70, 90))  # noqa: E731
    assert 'instruction = "mma"' in formed(doubles)
    text = formed(integers).replace('"scalar"', '"mma"')
    assert "tensor cores multiply" in str(error_of(expanded, text))


def test_steps_of_products_are_copied_beside_the_threads():
    doubles = lambda b: b.Input("x", f64(100, 70)) @ b.Input("y", f64(70, 90))  # noqa: E731
    text = formed(doubles)
    assert "stages = 3" in text
    for stages in (2, 4):
        lowered = str(expanded(changed(text, {"stages": stages})))
        assert ("nvgpu.device_async_copy" in lowered) == (stages > 2)
    assert "found 1" in str(error_of(expanded, changed(text, {"stages": 1})))
    assert "up to 8 for tensor cores" in str(error_of(expanded, changed(formed(product), {"stages": 3})))
    too_many = changed(text, {"stages": 8, "depth": 32})
    assert "a block has 166912 bytes of shared memory" in str(error_of(expanded, too_many))


def turned_product(b):
    return b.Input("x", f32(2050, 68)) @ b.Input("y", f32(2300, 68)).mT


def expanded_for(text, chip):
    """The module after the kernels are written for a chip."""
    rest = Pipeline.parse(f"expand-gpu-kernels{{chip={chip}}},canonicalize,cse,outline-gpu-kernels", Level.MLIR)
    return PipelineRun(rest, [], False, False).one(Source("kernels.mlir", text))


def test_tiles_are_copied_where_terms_are_neighbours_and_fill_the_chip():
    on = "chip=sm_90a precision=tf32"
    assert 'kind = "tma_product", rows = 128 : i64, stages = 4' in formed(turned_product, on)
    for build, options in (
        (turned_product, "chip=sm_90 precision=tf32"),
        (turned_product, "chip=sm_90a"),
        (lambda b: b.Input("x", f32(2050, 68)) @ b.Input("y", f32(68, 2300)), on),
        (lambda b: b.Input("x", f32(2050, 70)) @ b.Input("y", f32(2300, 70)).mT, on),
        (lambda b: b.Input("x", f32(1000, 68)) @ b.Input("y", f32(1000, 68)).mT, on),
        (lambda b: b.Input("x", f64(2050, 68)) @ b.Input("y", f64(2300, 68)).mT, on),
    ):
        assert 'kind = "product"' in formed(build, options)


@pytest.mark.parametrize(
    ("rows", "columns", "says"),
    [
        (2050, 2300, "cluster = 1"),
        (2048, 2300, "cluster = 2"),
        (1500, 1500, "columns = 128"),
        (2050, 2300, "columns = 256"),
    ],
)
def test_clusters_are_of_two_where_rows_of_tiles_come_in_pairs(rows, columns, says):
    build = lambda b: b.Input("x", f32(rows, 68)) @ b.Input("y", f32(columns, 68)).mT  # noqa: E731
    assert f"{says} : i64" in formed(build, "chip=sm_90a precision=tf32")


@pytest.mark.parametrize(
    "change", [{"rows": 64}, {"rows": 256, "columns": 128}, {"stages": 2}, {"columns": 96, "stages": 5}, {"cluster": 3}]
)
def test_another_record_of_copied_tiles_is_taken(change):
    build = lambda b: b.Input("x", f32(1536, 68)) @ b.Input("y", f32(4096, 68)).mT  # noqa: E731
    change = {"columns": 192, **change} if "cluster" in change else change
    text = changed(formed(build, "chip=sm_90a precision=tf32"), change)
    assert "gpu.func" in str(expanded_for(text, "sm_90a"))


@pytest.mark.parametrize(
    ("change", "chip", "says"),
    [
        ({}, "sm_90", "on chips with wgmma, which sm_90 has not"),
        ({"rows": 96}, "sm_90a", "rows is a multiple of 64 up to 256, found 96"),
        ({"columns": 260}, "sm_90a", "columns is a multiple of 8 up to 256, found 260"),
        ({"cluster": 2}, "sm_90a", "which share 17 evenly, found 2"),
        ({"columns": 248, "rows": 64, "cluster": 3}, "sm_90a", "found 248 for 3"),
        ({"stages": 5}, "sm_90a", "a block has 2 stages and 232448 bytes of shared memory, found 5"),
        ({"stages": 1}, "sm_90a", "found 1"),
    ],
)
def test_a_record_of_copied_tiles_that_cannot_be_used_is_refused(change, chip, says):
    text = changed(formed(turned_product, "chip=sm_90a precision=tf32"), change)
    error = error_of(lambda: expanded_for(text, chip))
    assert error.code == "E7008"
    assert says in str(error)


def test_tiles_are_not_copied_of_what_lies_otherwise():
    build = lambda b: b.Input("x", f32(2050, 68)) @ b.Input("y", f32(68, 2300))  # noqa: E731
    text = formed(build, "chip=sm_90a precision=tf32")
    record = 'cluster = 1 : i64, columns = 128 : i64, kind = "tma_product", rows = 128 : i64, stages = 4 : i64'
    text = re.sub(r"mind\.strategy = {[^}]*}", f"mind.strategy = {{{record}}}", text)
    assert "operands whose terms are neighbours" in str(error_of(lambda: expanded_for(text, "sm_90a")))


def test_chips_are_known_by_name():
    assert [find_chip(name).name for name in CHIPS] == list(CHIPS)
    assert not find_chip("sm_90").tf32
    assert find_chip("sm_90", "tf32").tf32
    assert error_of(find_chip, "sm_20").code == "E7003"
