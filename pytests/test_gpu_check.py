"""The check on a machine with a GPU: its artifacts are made here, and without a driver it says so and ends."""

import json
import subprocess
import sys

import pytest
from checkout import ROOT
from limits import HUNG

import mind_mlir as mind
from benchmarks.gpu import pack
from benchmarks.gpu.cases import CASES
from benchmarks.gpu.check import _table
from benchmarks.gpu.pack_index import entries


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Artifacts of two small modules, which take the place of all."""
    made = tmp_path_factory.mktemp("artifacts")
    few = [p for p in pack.packed() if p.name in ("chain.small.strict", "sum-rows.small.default")]
    original, pack.packed = pack.packed, lambda: iter(few)
    try:
        pack.pack(made, lambda line: None)
    finally:
        pack.packed = original
    return made


def test_every_case_verifies_and_names_are_apart():
    names = [c.name for c in CASES]
    assert len(set(names)) == len(names)
    for c in CASES:
        assert c.flops or c.bytes
        for types in (c.small, c.large):
            mind.verify(c.module(types))


def test_a_folder_holds_artifacts_their_modules_and_an_index(folder):
    assert [e["name"] for e in entries(folder)] == ["chain.small.strict", "sum-rows.small.default"]
    for e in entries(folder):
        files = {p.name for p in (folder / e["name"]).iterdir()}
        assert {"manifest.json", "module.mindir", "sm_80.ptx", "sm_90.ptx"} <= files
        mind.verify(mind.parse(folder / e["name"] / "module.mindir"))


def test_without_a_driver_the_first_artifact_says_so_and_the_check_ends(folder):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "gpu-check", folder], capture_output=True, text=True, timeout=HUNG
    )
    if "E6002" not in done.stdout:
        pytest.skip("there is a GPU here")
    assert done.returncode == 1
    assert "libcuda" in done.stdout
    assert done.stderr == "no artifact can run here\n"


def test_the_table_has_a_line_for_every_kind_of_result():
    results = [
        {"name": "a", "ok": True, "same bits": True, "error": 0.0},
        {"name": "b", "ok": False, "why": "no answer within 60 s"},
        {"name": "c", "ok": True, "us": 10.0, "gbs": 1500.0, "peers": {"torch": 12.0, "jax": "not installed"}},
        {"name": "d", "ok": True, "us": 10.0, "tflops": 40.0, "peers": {}},
    ]
    table = list(_table(results, {"copy GB/s": 3000.0}))
    assert table[2:] == [
        "| a | ok, same bits | | | | |",
        "| b | WRONG, no answer within 60 s | | | | |",
        "| c | ok | 10.0 µs | 1500 GB/s, 50% of a copy | 1.20 |  |",
        "| d | ok | 10.0 µs | 40.0 TFLOP/s |  |  |",
    ]
    json.dumps(results)
