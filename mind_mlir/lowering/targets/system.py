"""The system and the CPU that code is made for, by LLVM's names."""

from __future__ import annotations

import functools
import platform
import subprocess
import sys

from ...ir import MindError
from ..toolchain.installed import tool

_PROBE = b"""\
define void @bytes(ptr %p) {
  %a = load <64 x i8>, ptr %p
  %b = add <64 x i8> %a, %a
  store <64 x i8> %b, ptr %p
  ret void
}
define void @floats(ptr %p) {
  %a = load <8 x float>, ptr %p
  %b = call <8 x float> @llvm.fma.v8f32(<8 x float> %a, <8 x float> %a, <8 x float> %a)
  store <8 x float> %b, ptr %p
  ret void
}
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
"""
"""Code whose assembly shows the features of a CPU: one instruction for 64 bytes needs AVX-512BW, a fused one FMA."""


def host_triple() -> str:
    """This system, as a triple of LLVM."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if sys.platform == "darwin":
        return f"{'arm64' if machine == 'aarch64' else machine}-apple-darwin"
    return f"{machine}-pc-windows-msvc" if sys.platform == "win32" else f"{machine}-unknown-linux-gnu"


@functools.cache
def kernels_for(mcpu: str) -> str:
    """The kind of CPU, as for `form-kernels{cpu=…}`, for a CPU by LLVM's name.

    It follows from LLVM's assembly for wide vectors there. E7006 without llc, E7007 for a CPU that it does not know.
    """
    if mcpu == "native":
        return mcpu
    command = [tool("llc"), f"-mtriple={host_triple()}", f"-mcpu={mcpu}"]
    done = subprocess.run(command, input=_PROBE, capture_output=True, timeout=60)
    if done.returncode or b"not a recognized processor" in done.stderr:
        help = "native is this machine's, generic fits all of its kind; others are x86-64-v3, znver4, neoverse-v2, …"
        raise MindError.of("E7007", f"LLVM knows no CPU named {mcpu}", help=help)
    if host_triple().startswith(("aarch64", "arm64")):
        return "neon"
    if b"zmm" in done.stdout:
        return "avx512"
    return "avx2" if b"vfmadd" in done.stdout else "sse2"
