"""What a short run does not load.  docs/adr/0007-start-up.md has the reasons."""

import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '%0 = Input {name = "x"} : tensor<f32[2, 2]>\n%1 = Relu (%0) : tensor<f32[2, 2]>\noutputs: %1\n'
SLOW = ("mlir", "numpy", "pydantic", "rich")

RUNS = {
    "import mind_mlir": "import mind_mlir",
    "a module parsed, verified, printed": f"import mind_mlir as mind; str(mind.verify(mind.parse({MODULE!r})))",
    "a module made and canonicalised": (
        "import mind_mlir as mind; b = mind.Builder(); x = b.Input('x', mind.f32(2, 2)); "
        "mind.canonicalize(b.finish([b.Sum(-x, axes=[0], keepdims=False)]))"
    ),
    "constants made and canonicalised": (
        "import mind_mlir as mind; b = mind.Builder(); x = b.Input('x', mind.f32(2, 2)); "
        "mind.canonicalize(b.finish([x * b.ConstF32(2.0), x * 1]))"
    ),
    "mind-opt --help": "from mind_mlir.cli.mind_opt import app; app(['--help'], standalone_mode=False)",
    "mind-opt on Core IR": (
        "from mind_mlir.cli.mind_opt import app; app(['m.mindir', '--canonicalize'], standalone_mode=False)"
    ),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_run_on_core_ir_loads_nothing_slow(run, tmp_path):
    (tmp_path / "m.mindir").write_text(MODULE)
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import checkout
before = set(sys.modules)
{RUNS[run]}
print("loaded", *sorted({{m.partition(".")[0] for m in set(sys.modules) - before}} & set({SLOW})))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "loaded"
