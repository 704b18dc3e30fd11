"""What compiling a module does not load: mlir.dialects.linalg, which would cost more than the rest of the work."""

import subprocess
import sys
from pathlib import Path

PROGRAM = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import checkout
import numpy as np
import mind_mlir as mind
b = mind.Builder()
x, k = b.Input("x", mind.f32(1, 4, 4, 2)), b.Input("k", mind.i64(2))
y = b.Relu(b.Conv2d(x, b.constant(np.ones((3, 3, 2, 2), np.float32)), (1, 1), "Same") + 1.0)
rows = b.Gather(b.Reshape(y, (16, 2)), k)
mind.compile(b.finish([rows @ b.Transpose(rows, (1, 0)), b.Mean(rows, axes=(1,), keepdims=True)]))
print(*[m for m in sys.modules if m == "mlir.ir" or m.startswith("mlir.dialects.linalg")])
"""


def test_compiling_does_not_load_the_python_module_of_linalg(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "mlir.ir\n"
