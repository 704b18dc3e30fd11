"""What ends the process inside MLIR ends as E9003 with a reproducer.  docs/adr/0008-crash-guard-by-fork.md."""

import signal
import subprocess
import sys
from pathlib import Path

MODULE = '%0 = Input {name = "x"} : tensor<f32[2]>\noutputs: %0\n'

PROGRAM = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import checkout
from mind_mlir.cli.mind_opt import app
from mind_mlir.passes.registry import Level, register

@register("crash", source=Level.MLIR)
def crash(module):
    "End the process as an assertion in MLIR does."
    os.abort()

app(["m.mindir", "-p", "lower-to-linalg,crash"])
"""


def test_a_crash_is_an_error_with_a_reproducer(tmp_path):
    (tmp_path / "m.mindir").write_text(MODULE)
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    (reproducer,) = tmp_path.glob("mind-reproducer-*.mindir")
    assert done.returncode == 3
    assert done.stdout == ""
    assert f"error[E9003]: MLIR ended the process with {signal.SIGABRT.name}" in done.stderr
    assert reproducer.name in done.stderr
    command, _, text = reproducer.read_text().partition("\n")
    assert command.startswith("// mind-opt %s -p 'core.module(verify")
    assert text == MODULE
