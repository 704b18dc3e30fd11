"""Named pipelines, as data, per target."""

from .cpu import CPU_PIPELINES

PIPELINES: dict[str, str] = {**CPU_PIPELINES}
"""Name -> the pipeline it stands for.  `mind-opt --list-passes` shows them, `--dump-pipeline` expands them."""
