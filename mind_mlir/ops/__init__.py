"""The vocabulary: one operation a file.  Importing this package fills `mind_mlir.ir.OPS`.

A file without a leading underscore is an operation; adding one adds the operation everywhere.
"""

import importlib
import os

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and not _file.startswith("_"):
        importlib.import_module(f".{_file[:-3]}", __name__)
