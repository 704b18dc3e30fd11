"""Shows the progress of a run on standard error: a bar on a terminal, else a line for each step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

Step = Callable[[str], AbstractContextManager[Callable[[str], None]]]
"""A function from a step's name to a context, which gives a function to report the step's result."""


@contextmanager
def progress(total: int) -> Iterator[Step]:
    """Show `total` steps as they are taken."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:32}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("starting", total=total)
        done = 0

        @contextmanager
        def step(name: str) -> Iterator[Callable[[str], None]]:
            nonlocal done
            done += 1
            bar.update(task, description=name)
            yield lambda text: None if console.is_terminal else print(f"{done}/{total} {name}: {text}", file=sys.stderr)
            bar.advance(task)

        yield step
