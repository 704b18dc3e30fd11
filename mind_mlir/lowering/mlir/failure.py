"""The exception of a pass over MLIR that failed; pass_driver.py makes an error with a reproducer of it."""

from __future__ import annotations


class MlirPassFailed(Exception):
    """A pass failed: `step` is its text, `messages` say why, `help` what to do about it."""

    def __init__(self, step: str, messages: list[str], help: str = "") -> None:
        super().__init__(step, messages)
        self.step, self.messages, self.help = step, messages, help
