"""docs/records.md, the table of what rules choose: that it holds what is chosen, and would show a changed rule."""

import runpy
import sys
from pathlib import Path

import pytest

from mind_mlir.lowering.targets import cpus as records_of_cpus

SCRIPTS = Path(__file__).parent.parent / "scripts"
sys.path.append(str(SCRIPTS))  # where it finds what scripts share
GEN = runpy.run_path(str(SCRIPTS / "gen_records.py"))


def test_there_are_two_hundred_shapes_and_a_record_of_every_strategy():
    cases = [c for family in GEN["FAMILIES"].values() for c in family]
    assert len(cases) >= 200
    text = GEN["PAGE"].read_text(encoding="utf-8")
    assert all(f"| {c.text} |" in text for c in cases)
    kinds = {line.split("|")[2].split(":")[0].strip() for line in text.splitlines() if line.startswith("| [")}
    assert {"contraction", "dots", "transpose"} <= kinds
    assert "| reduction:" in text
    assert "| elementwise:" in text


@pytest.mark.parametrize("cpu", GEN["CPUS"])
def test_another_rule_gives_another_table(cpu, monkeypatch):
    """A CPU whose tiles have two rows: as if someone had changed the rule that keeps sums in registers."""
    cases = [GEN["product"]((128, 784), (784, 512)), GEN["convolution"]((1, 56, 56, 64), 3, 64)]
    before = GEN["records"](cases, cpu)
    from dataclasses import replace

    low = records_of_cpus.Tiles(plain=(2, 2), packed=(2, 2), neighbours=(2, 2))
    changed = replace(records_of_cpus.CPUS[cpu], tiles=low)
    monkeypatch.setitem(records_of_cpus.CPUS, cpu, changed)
    assert all(a != b for a, b in zip(before, GEN["records"](cases, cpu)))


def test_a_record_is_shown_with_what_is_on():
    text = 'align = false, columns = 64 : i64, kind = "contraction", order = "rows", pack = true'
    assert GEN["_readable"](text) == "contraction: columns=64 order=rows pack"
