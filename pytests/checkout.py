"""Importing this module makes `mind_mlir` come from the checkout that the tests lie in, whatever is installed.

So a copy of the tree tests itself, also in an environment where another copy is installed in editable mode.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

if (ROOT / "mind_mlir").is_dir():
    sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith("_editable")]
    sys.path.insert(0, str(ROOT))
