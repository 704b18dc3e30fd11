"""The vocabulary: one operation a file.  Importing this package fills `mind_mlir.ir.OPS`.

A file without a leading underscore is an operation; adding one adds the operation everywhere.
"""

import importlib
import pkgutil

for _file in sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")):
    importlib.import_module(f".{_file}", __name__)
