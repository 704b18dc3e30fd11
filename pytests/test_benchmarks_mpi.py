"""The benchmark of steps on a mesh: the model's numbers, the compiler's counts, the report and the command."""

import importlib.util
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from checkout import ROOT
from limits import HUNG

sys.path.insert(0, str(ROOT))
from benchmarks.mpi import plot, report
from benchmarks.mpi.cluster import ALGORITHM, BANDWIDTH, LATENCY, RANKS, RATE
from benchmarks.mpi.command import machine, simulation
from benchmarks.mpi.launch import JobError, mpirun
from benchmarks.mpi.model import ALGORITHMS, Link, Sent, halving, ring, seconds, tree
from benchmarks.mpi.results import Endurance, Exchange, Overhead, Point, Results, line, read
from benchmarks.mpi.scaling import LARGEST, MEASURED, SIMULATED, Machine, estimate, ranks_between, simulate
from benchmarks.mpi.steps import LAYOUTS, Collective, Sizes, layouts_of, program

TINY = Sizes(16, 8, 24, 4)
DP, TP, FSDP, GRID = LAYOUTS
USUAL = machine(LATENCY, BANDWIDTH, RATE, ALGORITHM)


def can_start_jobs():
    try:
        mpirun()
    except JobError:
        return False
    return importlib.util.find_spec("mpi4py") is not None


needs_mpi = pytest.mark.skipif(not can_start_jobs(), reason="mpirun or mpi4py is not installed")


def benchmarks(*words):
    """Run the command to its end."""
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HUNG)


# The model


@pytest.mark.parametrize(
    ("opcode", "by_ring", "by_tree"),
    [
        ("AllReduce", Sent(14, 1400), Sent(3, 2400)),
        ("AllGather", Sent(7, 5600), Sent(3, 5600)),
        ("ReduceScatter", Sent(7, 700), Sent(3, 700)),
        ("AllToAll", Sent(7, 700), Sent(3, 1200)),
    ],
)
def test_a_collective_of_800_bytes_on_8_ranks_sends_what_the_equations_say(opcode, by_ring, by_tree):
    c = Collective(opcode, 8, 800)
    assert (ring(c), tree(c)) == (by_ring, by_tree)


def test_halving_then_doubling_sends_the_bytes_of_a_ring_in_fewer_messages():
    assert halving(Collective("AllReduce", 8, 800)) == Sent(6, 1400)
    assert halving(Collective("AllGather", 8, 800)) == tree(Collective("AllGather", 8, 800))


def test_five_ranks_take_three_rounds_of_a_tree():
    assert tree(Collective("AllReduce", 5, 100)) == Sent(3, 300)


@pytest.mark.parametrize("way", [ring, tree, halving])
@pytest.mark.parametrize("opcode", ["AllReduce", "AllGather", "ReduceScatter", "AllToAll"])
def test_one_rank_sends_nothing(way, opcode):
    assert way(Collective(opcode, 1, 100)) == Sent(0, 0)


def test_time_is_latency_of_messages_and_bytes_over_bandwidth():
    assert Link(2e-6, 1e9).seconds(Sent(14, 1400)) == pytest.approx(28e-6 + 1.4e-6)


def test_best_is_the_quickest_way():
    link = Link(1e-6, 1e9)
    for size in (8, 100_000_000):
        c = Collective("AllReduce", 64, size)
        assert seconds(c, link, "best") == min(link.seconds(way(c)) for way in (ring, tree, halving))
    short, long = (Collective("AllReduce", 64, size) for size in (8, 100_000_000))
    assert seconds(short, link, "tree") < seconds(short, link, "ring")
    assert seconds(long, link, "ring") < seconds(long, link, "tree")


def test_ranks_without_a_core_of_their_own_compute_in_turns():
    crowded = Machine(Link(0, 1e9), 100.0, cores=2)
    assert [crowded.compute(100, n) for n in (1, 2, 4)] == [1.0, 1.0, 2.0]


# What the compiler makes


@pytest.mark.parametrize(("layout", "sent"), [(DP, 1268), (TP, 768), (FSDP, 1268)], ids=lambda x: getattr(x, "name", x))
def test_two_ranks_send_the_fewest_bytes_that_do(layout, sent):
    assert program(layout, TINY, 2).sent == sent


@pytest.mark.parametrize(
    ("layout", "opcodes"),
    [(DP, {"AllReduce": 5}), (TP, {"AllReduce": 2}), (FSDP, {"AllGather": 3, "AllReduce": 2, "ReduceScatter": 3})],
    ids=lambda x: getattr(x, "name", ""),
)
def test_a_step_has_these_collectives(layout, opcodes):
    found = [c.opcode for c in program(layout, TINY, 2).collectives]
    assert {opcode: found.count(opcode) for opcode in found} == opcodes


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda x: x.name)
@pytest.mark.parametrize("ranks", [2, 8])
def test_the_bytes_of_the_model_are_those_that_partition_counts(layout, ranks):
    p = program(layout, Sizes(64, 32, 128, 32), ranks)
    assert sum(int(ring(c).nbytes) for c in p.collectives) == p.sent
    assert all(c.ranks in layout.mesh(ranks).axis_sizes for c in p.collectives)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda x: x.name)
def test_ranks_divide_the_products_among_them(layout):
    sizes = Sizes(64, 32, 128, 32)
    alone = program(layout, sizes, 1)
    assert alone.flops == 6 * sizes.batch * sizes.hidden * (sizes.inputs + sizes.outputs)
    assert alone.collectives == ()
    assert program(layout, sizes, 4).flops == alone.flops // 4
    assert program(layout, sizes, 4).memory < alone.memory


def test_a_grid_is_square_or_has_more_rows():
    assert [GRID.mesh(n).axis_sizes for n in (1, 2, 4, 8, 4096)] == [(1, 1), (2, 1), (2, 2), (4, 2), (64, 64)]
    assert GRID.times(TINY, 4, 1) == Sizes(32, 8, 48, 4)
    assert GRID.times(TINY, 1, 4) == Sizes(8, 8, 12, 4)
    assert GRID not in layouts_of(2)
    assert GRID in layouts_of(4)


def test_weak_scaling_keeps_the_work_of_a_rank():
    for study, ranks in ((MEASURED, (1, 2, 4)), (SIMULATED, (8, 64, LARGEST))):
        for layout in LAYOUTS:
            assert len({estimate(study, "weak", layout, n, USUAL).compute for n in ranks}) == 1, layout.name


def test_both_scalings_meet_where_the_shares_are_the_same():
    for layout in LAYOUTS:
        strong, weak = (estimate(SIMULATED, s, layout, SIMULATED.share, USUAL) for s in ("strong", "weak"))
        assert strong.efficiency == weak.efficiency


def test_a_network_that_costs_nothing_loses_nothing():
    free = Machine(Link(0.0, float("inf")), 1.0)
    assert all(e.efficiency == pytest.approx(1.0) for e in simulate([8, 64], free))


def test_ranges_are_powers_of_two():
    assert ranks_between("ranks=8..64") == ranks_between("5..100") == [8, 16, 32, 64]
    for wrong in ("8", "ranks=9..10", "8..8192", "a..b"):
        with pytest.raises(ValueError, match=r"ranks=8\.\.4096|4096 or before"):
            ranks_between(wrong)


# The report


def sample():
    """Results with these figures."""
    r = Results("a command")
    r.records = [
        Exchange([(size, 4e-6 + size * 0.5e-9) for size in (64, 4096, 1 << 20)]),
        Point("strong", "dp", 2, [0.2, 0.21, 0.3], [0.1, 0.12, 0.15], [0.1, 0.1, 0.1], 1e-6),
        Point("weak", "tp", 4, [0.2, 0.2, 0.2], [0.1, 0.1, 0.1], [0.08, 0.08, 0.08], 1e-6),
        Overhead("dp", [60e-6, 50e-6], [10e-6, 5e-6], [25e-6, 20e-6]),
        Overhead("tp", [80e-6], [10e-6], [10e-6]),
        Endurance("dp", 20_000, 4096, True),
    ]
    r.asked = len(r.records)
    return r


def test_a_record_is_read_as_it_was_written():
    for record in sample().records[1:]:
        assert read(line(record)) == record


def test_latency_and_bandwidth_are_found_again():
    latency, inverse = sample().exchange.fit()
    assert (latency, inverse) == pytest.approx((2e-6, 0.5e-9))


def test_every_bar_is_met_or_not_by_its_figures():
    r = sample()
    assert [(b.measured, b.met) for b in report.bars(r)] == [
        ("2.00", True),
        ("60.0 µs", False),
        ("0.00 MB", True),
        ("all", True),
    ]
    r.records[-1] = Endurance("dp", 20_000, 2 << 20, False)
    assert [b.met for b in report.bars(r)][2:] == [False, False]
    r.records[-1] = Endurance("dp", 200, 0, True)
    assert [b.met for b in report.bars(r)][2:] == [None, None], "too few steps show nothing"
    assert [b.met for b in report.bars(Results())] == [None] * 4


def test_the_report_shows_points_beside_the_model():
    text = report.measured(sample())
    rows = {tuple(c.strip() for c in row.split("|")[1:4]): row for row in text.splitlines() if row.startswith("|")}
    assert [c.strip() for c in rows["strong", "dp", "2"].split("|")[4:11]] == [
        *["210.0", "120.0", "2.00", "2.00", "2.00"],
        *["1.00", "0.96"],
    ]
    assert [c.strip() for c in rows["weak", "tp", "4"].split("|")[8:11]] == ["2.50", "0.50", "0.49"]
    assert "α = 2.00 µs and 2.00 GB/s" in text
    assert "Interrupted" not in text


def test_an_interrupted_or_failed_run_says_so():
    r = sample()
    r.asked, r.failed = 22, ["4 ranks: why"]
    text = report.measured(r)
    assert "**Interrupted after 6 of 22 figures.**" in text
    assert text.endswith("Not measured:\n\n- 4 ranks: why")


def test_the_page_gets_the_tables_and_the_picture_the_measured_points(tmp_path):
    page, picture = tmp_path / "page.md", tmp_path / "picture.svg"
    page.write_text(
        "<!-- mpi: begin -->\nold\n<!-- mpi: end -->\n<!-- simulated: begin -->\n<!-- simulated: end -->\nafter\n",
        encoding="utf-8",
    )
    report.write_measured(report.measured(sample()), page)
    assert report.measured_on(page) == [plot.Dot("strong", "dp", 2, 1.0, 0.96), plot.Dot("weak", "tp", 4, 0.5, 0.49)]
    report.write_simulated([8, 16], USUAL, "a command", page, picture)
    text = page.read_text(encoding="utf-8")
    assert "(picture.svg)" in text
    assert "| strong  | fsdp    |    16 |" in text
    assert "old" not in text
    assert text.endswith("after\n")
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    titles = [t.text for t in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "weak tp, 4 ranks, measured: 0.50" in titles
    assert "weak fsdp" in titles
    assert len(titles) == 1 + 2 * len(LAYOUTS) + 2


def test_what_the_page_says_of_simulations_is_what_they_give():
    """Stale?  python -m benchmarks mpi --simulate ranks=8..4096 --write"""
    ranks = ranks_between(RANKS)
    assert report.get(report.PAGE, "simulated").endswith(report.simulated(ranks, USUAL, simulation(RANKS)))
    drawn = plot.svg(simulate(ranks, USUAL), report.measured_on())
    assert report.PLOT.read_text(encoding="utf-8") == drawn


# The command


def test_help_answers():
    done = benchmarks("mpi", "--help")
    assert done.returncode == 0, done.stderr
    assert all(f"--{name}" in done.stdout for name in ("simulate", "latency", "bandwidth", "algorithm", "flops"))


def test_a_simulation_prints_its_tables_and_the_command_that_does_it_again():
    done = benchmarks("mpi", "--simulate", "ranks=8..16", "--latency", "5", "--algorithm", "ring")
    assert done.returncode == 0, done.stderr
    assert "mpi --simulate ranks=8..16 --latency 5.0 --algorithm ring`" in done.stdout
    assert "α = 5 µs" in done.stdout
    assert done.stdout.count("| weak    | tp      |") == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--simulate", "many"], "'many' is no range such as ranks=8..4096"),
        (
            ["--simulate", "8..16", "--algorithm", "star"],
            "no algorithm is named star; there are " + ", ".join(ALGORITHMS),
        ),
    ],
)
def test_a_range_or_algorithm_that_does_not_exist_is_wrong_usage(words, told):
    done = benchmarks("mpi", *words)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())


@needs_mpi
def test_a_job_gives_its_figures_and_an_interrupt_ends_it():
    command = [sys.executable, "-m", "benchmarks", "mpi", "--quick"]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "strong dp" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=HUNG)
    assert run.returncode == 130, err
    assert "Interrupted after " in out
    assert "| strong  | dp     |     1 |" in out
    assert "Traceback" not in err
