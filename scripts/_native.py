"""Builds the C++ form of the dialect into build/native, against the wheels in .venv. Needs a C++ compiler."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from _setup import BIN, PYTHON, ROOT, environment

NATIVE = ROOT / "build" / "native"


def build_native() -> Path:
    """Build; returns the folder. Ends this process if the build fails."""
    start = time.monotonic()
    site = subprocess.check_output([PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"], text=True)
    mlir = Path(site.strip(), "mlir", "lib", "cmake", "mlir")
    configure = ["-G", "Ninja", "-S", ROOT, "-B", NATIVE, f"-DMLIR_DIR={mlir}", f"-DCMAKE_MAKE_PROGRAM={BIN / 'ninja'}"]
    for step in (configure, ["--build", NATIVE]):
        command = [os.fspath(c) for c in (BIN / "cmake", *step)]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True)
        if done.returncode:
            print(f"{done.stdout}{done.stderr}\nfailed: {' '.join(command)}")
            sys.exit(1)
    print(f"built {NATIVE.relative_to(ROOT)} in {time.monotonic() - start:.0f} s", flush=True)
    return NATIVE
