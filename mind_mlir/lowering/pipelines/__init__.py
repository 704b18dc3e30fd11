"""Named pipelines, as data, per target.

cpu   to code for CPUs
gpu   to code for NVIDIA GPUs

parameters   options that several of their passes share
"""

from .cpu import CPU_PIPELINES
from .gpu import GPU_PIPELINES

PIPELINES: dict[str, str] = {**CPU_PIPELINES, **GPU_PIPELINES}
"""Name -> the pipeline it stands for. `mind-opt --list-passes` shows them, `--dump-pipeline` expands them."""
