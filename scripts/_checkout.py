"""Lets `mind_mlir` and `benchmarks` be imported from the checkout that contains the scripts.

So a script writes into a checkout what that checkout's code makes, even if another one is installed in editable mode.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith("_editable")]
sys.path.insert(0, str(ROOT))
