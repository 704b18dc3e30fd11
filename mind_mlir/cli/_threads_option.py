"""The option --threads of commands that run modules."""

from __future__ import annotations

from typing import Annotated

import typer

from ..runtime.threads import MOST

ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        max=MOST,
        help="The largest number of threads; without it, MIND_NUM_THREADS, else all cores.",
    ),
]
