"""Importing this module makes `mind_mlir` and `benchmarks` come from the checkout that the scripts lie in.

So what a script writes into a checkout is made by its own code, also where another one is installed in editable mode.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith("_editable")]
sys.path.insert(0, str(ROOT))
