"""The output of mind-tune: progress on standard error, and a table of kernels at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

from ..ir.diagnostics import count

if TYPE_CHECKING:
    from ..lowering.tuning.trial import Trial
    from ..lowering.tuning.tuner import State


class Lines:
    """Prints a line for each improvement and for each kernel that is done."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    @classmethod
    def for_stream(cls, stream: IO[str], budget: float) -> Lines:
        """A progress bar if the stream is a terminal, else lines alone."""
        return Bar(stream, budget) if stream.isatty() else Lines(stream)

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def say(self, text: str) -> None:
        """Write one line."""
        print(text, file=self.stream, flush=True)

    def close(self) -> None:
        """End the output."""

    # What the search reports

    def started(self, states: list[State]) -> None:
        """The search begins, for these kernels."""
        self.say(f"{count(len(states), 'kernel')} to tune")

    def measured(self, state: State) -> None:
        """The rules' record has been timed, or cannot be."""
        if state.ended:
            self.say(f"{state.kernel.name}: left out: {state.ended}")

    def tried(self, state: State, trial: Trial) -> None:
        """One more candidate is done."""
        if trial.better:
            changed = ", ".join(f"{k} = {v}" for k, v in state.record.items() if v != state.kernel.rule[k])
            self.say(f"{state.kernel.name}: {state.gain:.2f} times as fast with {changed}")

    def finished(self, state: State) -> None:
        """No more candidates of this kernel."""
        failed = f", {len(state.failures)} of them failed: {state.failures[0]}" if state.failures else ""
        self.say(f"{state.kernel.name}: {count(state.trials, 'candidate')}{failed}; {state.ended}")

    def waiting(self) -> None:
        """Some time has passed."""


class Bar(Lines):
    """Prints the same lines above a bar that shows how much of the time has passed."""

    def __init__(self, stream: IO[str], budget: float) -> None:
        super().__init__(stream)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._bar: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f} of {task.total:.0f} s"),
            TimeElapsedColumn(),
            console=Console(file=stream),
            auto_refresh=False,  # a thread would be lost in the processes that fork
            transient=True,
        )
        self._begun, self._budget = time.monotonic(), budget
        self._task = self._bar.add_task("looking for kernels", total=budget)
        self._bar.start()

    def say(self, text: str) -> None:
        """Write one line above the bar."""
        self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Remove the bar."""
        self._bar.stop()

    def measured(self, state: State) -> None:
        """The rules' record has been timed, or cannot be."""
        super().measured(state)
        self._show(f"measuring {state.kernel.name}")

    def tried(self, state: State, trial: Trial) -> None:
        """One more candidate is done."""
        super().tried(state, trial)
        self._show(f"{state.kernel.name}, candidate {state.trials}")

    def waiting(self) -> None:
        """Some time has passed."""
        self._show(None)

    def _show(self, description: str | None) -> None:
        spent = min(time.monotonic() - self._begun, self._budget)
        more = {} if description is None else {"description": description}
        self._bar.update(self._task, completed=spent, refresh=True, **more)


def table(states: Sequence[State]) -> str:
    """One line for each kernel: its operands, the time of a call with the rules' record and with the best, the gain."""
    rows = [("kernel", "operands", "rules", "tuned", "gain")]
    for s in states:
        times = (seconds(s.rule_seconds), seconds(s.seconds)) if s.seconds else ("-", "-")
        rows.append((s.kernel.name, _operands(s.kernel.operands), *times, f"{s.gain:.2f}" if s.seconds else "-"))
    widths = [max(len(row[n]) for row in rows) for n in range(5)]
    return "\n".join(
        f"{a:{widths[0]}}  {b:{widths[1]}}  {c:>{widths[2]}}  {d:>{widths[3]}}  {e:>{widths[4]}}"
        for a, b, c, d, e in rows
    )


def _operands(operands: Sequence[str]) -> str:
    """The operands as `128x784xf32, 784x512xf32, …`, without layouts, and shortened if they are many."""
    text = ", ".join(o.partition(",")[0] for o in operands)
    return text if len(text) <= 60 else text[:59] + "…"


def seconds(t: float) -> str:
    """A number of seconds as text, in the unit that fits."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if t >= scale:
            return f"{t / scale:.3g} {unit}"
    return f"{t / 1e-6:.3g} µs"
