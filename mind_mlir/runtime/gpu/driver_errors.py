"""Errors of NVIDIA's driver: its codes, and the messages that users get for them."""

from __future__ import annotations

from ...ir import MindError

OLDEST = 12000
"""The version of CUDA that the driver must support, as cuDriverGetVersion gives it: the first with PTX 8.0."""

OUT_OF_MEMORY, NOT_INITIALIZED, DEINITIALIZED, STUB, NO_DEVICE, INVALID_DEVICE = 2, 3, 4, 34, 100, 101
NO_BINARY, NO_JIT, UNSUPPORTED_PTX = 209, 221, 222

INSTALL = "it comes with NVIDIA's driver (525 or newer), not with CUDA; target cpu needs none"
UPDATE = "install NVIDIA's driver 525 or newer"


class CudaError(Exception):
    """A call of the driver failed: `call`, its `code`, and the driver's `name` for it. It becomes a MindError."""

    def __init__(self, call: str, code: int, name: str, text: str) -> None:
        super().__init__(f"{call}: {name} ({code}){f', {text}' if text else ''}")
        self.call, self.code, self.name, self.text = call, code, name, text


def unavailable(message: str, note: str = "", help: str = "") -> MindError:
    """E6002 for the target gpu."""
    return MindError.of("E6002", f"the target gpu is not available: {message}", note=note, help=help)


def _shown(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def check_version(path: str, version: int) -> None:
    """E6002 for a driver that supports only a version of CUDA that is too old."""
    if version < OLDEST:
        message = f"{path} is too old: it is of CUDA {_shown(version)}, {_shown(OLDEST)} is needed"
        raise unavailable(message, "", UPDATE)


def not_started(path: str, why: CudaError) -> MindError:
    """E6002 for a driver whose cuInit fails."""
    if why.code == NO_DEVICE:
        return unavailable(
            "there is no GPU", f"{path}: {why}", "CUDA_VISIBLE_DEVICES hides devices; nvidia-smi lists all"
        )
    if why.code == STUB:
        return unavailable(f"{path} is a stub to link with", str(why), INSTALL)
    return unavailable(f"{path} does not start", str(why), "nvidia-smi says whether the driver works")
