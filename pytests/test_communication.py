"""Programs on meshes: what ours sends, pinned; results of all ranks; and XLA's bytes beside ours."""

import os
import subprocess
import sys

import pytest
from checkout import ROOT
from limits import HUNG
from pinned_communication import PINNED

sys.path.insert(0, str(ROOT))
from benchmarks.communication import command, layout, ours
from benchmarks.communication.hlo import Collective, collectives
from benchmarks.communication.programs import PROGRAMS


def test_every_program_is_pinned():
    assert set(PINNED) == set(PROGRAMS)
    assert set(command.QUICK) <= set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_bytes_of_ours(name):
    assert sum(nbytes for _, nbytes in ours.sent(PROGRAMS[name])) == PINNED[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_of_all_ranks_are_those_of_one_process(name):
    assert ours.difference(PROGRAMS[name]) <= command.MOST_DIFFERENCE


def test_ours_sends_no_more_than_xla():
    pytest.importorskip("jax")
    with command.theirs([PROGRAMS[name] for name in command.QUICK]) as lines:
        for name in command.QUICK:
            found = command.row(PROGRAMS[name], next(lines))
            assert found.scattered > 0, f"{name}: XLA moves something"
            assert found.ratio <= 1.0, name


def test_the_command_prints_a_table():
    pytest.importorskip("jax")
    words = [sys.executable, "-m", "benchmarks", "communication", "--quick"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 0, done.stderr
    for name in command.QUICK:
        assert f"| {name} |" in done.stdout
        assert f"{name}, {PROGRAMS[name].ranks} ranks: " in done.stderr


def test_without_jax_the_command_says_so(tmp_path):
    (tmp_path / "jax.py").write_text("raise ImportError('no jax here')", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-m", "benchmarks", "communication", "--quick"]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=HUNG)
    assert done.returncode == 2
    assert "no jax here" in done.stderr


def test_programs_run_on_meshes_of_each_size_that_has_their_axes():
    meshes = {(p.name, p.ranks): dict(p.axes) for p in command.everywhere()}
    assert [n for name, n in meshes if name == "mlp dp"] == [2, 4, 8]
    assert [n for name, n in meshes if name == "mlp fsdp × tp"] == [4, 8]
    assert meshes["mlp dp × tp", 4] == {"dp": 2, "tp": 2}
    assert meshes["mlp dp × tp", 8] == {"dp": 4, "tp": 2}


# Layouts in text


def test_a_line_names_arguments_extents_and_axes():
    w, ids = layout.arguments("w: f h/tp; ids: i32 b")
    assert (w.name, w.dtype, w.extents, w.cuts) == ("w", "f32", ("f", "h"), (None, "tp"))
    assert (ids.dtype, ids.extents, ids.cuts) == ("i32", ("b",), (None,))
    assert layout.results("; _ tp") == ((), (None, "tp"))


def test_extents_that_ranks_do_not_divide_are_the_next_that_they_do():
    p = PROGRAMS["mlp dp, batch 125"]
    assert p.shapes()[-1] == (125, 512)
    assert p.shapes(even=True)[-1] == (126, 512)


# Collectives in HLO


@pytest.mark.parametrize(
    ("line", "kind", "nbytes"),
    [
        ("%y = f32[8]{0} all-reduce(%x), replica_groups={{0,1},{2,3}}, to_apply=%add", "AllReduce", 32),
        ("%y = f32[32]{0} all-gather(%x), replica_groups=[1,4]<=[4], dimensions={0}", "AllGather", 96),
        ("%y = f32[2]{0} reduce-scatter(%x), replica_groups=mesh['a'=2,'b'=2] {'a','b'}", "ReduceScatter", 24),
        ("%y = f32[8]{0} all-to-all(%x), replica_groups=mesh['a'=2,'b'=2] {'a'}", "AllToAll", 16),
        ("%y = f32[8]{0} collective-permute(%x), source_target_pairs={{0,1},{1,0}}", "Permute", 32),
        ("%y = (f32[8], f32[8]) all-reduce(%x, %x), replica_groups={}, to_apply=%add", "AllReduce", 96),
        ("%y = (f32[8], f32[32]) all-gather-start(%x), replica_groups=[1,4]<=[4]", "AllGather", 96),
    ],
)
def test_a_collective_sends_what_a_ring_does(line, kind, nbytes):
    text = f"ENTRY %main {{\n  %x = f32[8]{{0}} parameter(0)\n  {line}\n}}\n"
    assert collectives(text, 4) == [Collective(kind, nbytes, nbytes)]


def test_an_all_reduce_of_which_a_part_is_used_counts_as_reduce_scatter_too():
    text = """%fused (p: f32[8]) -> f32[2] {
  %p = f32[8]{0} parameter(0)
  ROOT %part = f32[2]{0} dynamic-slice(%p, %at), dynamic_slice_sizes={2}
}
ENTRY %main {
  %x = f32[8]{0} parameter(0)
  %both = (f32[8]{0}, f32[8]{0}) all-reduce(%x, %x), replica_groups={}, to_apply=%add
  %one = f32[8]{0} get-tuple-element(%both), index=0
  %two = f32[8]{0} get-tuple-element(%both), index=1
  %cut = f32[2]{0} fusion(%one), kind=kLoop, calls=%fused
  ROOT %whole = f32[8]{0} add(%two, %two)
}
"""
    assert collectives(text, 4) == [Collective("AllReduce", 96, 72)]
