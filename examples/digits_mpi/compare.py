"""Trains the digits network in one process, data-parallel and tensor-parallel, and draws the three curves.

    python examples/digits_mpi/compare.py [--epochs N] [--svg FILE.svg]

The parallel ones run on two ranks, started by the mpirun beside this Python or on the search path. Exits with status 1
if a curve leaves that of one process.
"""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TRAIN = Path(__file__).resolve().parent / "train.py"
COLOURS = {"one": "#c8c8c8", "dp": "#4c78a8", "tp": "#e45756"}
WIDTHS = {"one": 7, "dp": 3, "tp": 1}  # so that each can be seen under the next
WIDTH, LEFT, RIGHT = 760, 60, 20
LOSS, DIFFERENCE = (40, 280), (330, 450)
"""The top and the bottom of the two parts of the picture."""
LEAST, MOST = -10, -2
"""The powers of ten at the ends of the scale of differences."""
TOLERANCE = 5e-4
"""The largest difference allowed. Sums over ranks round differently. If that activates a hidden unit for an image, or
not, Adam takes up to a full step in weights that hardly any other image reaches, and the loss changes by some 1e-5.
Without the gradient of b1, one of the smallest things that could be missing, it changes by 2e-3."""


def mpirun() -> str:
    """The path of mpirun for the MPI that this Python uses."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("mpirun", path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        sys.exit("no mpirun beside this Python or on the search path: pip install 'mind-mlir[mpi]' brings MPICH")
    return found


def trained(layout: str, epochs: int, seconds: float) -> dict:
    """Run train.py; returns the arrays that it writes. A job that takes longer than `seconds` is ended."""
    job = [] if layout == "one" else [mpirun(), "-n", "2"]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "out.npz")
        command = [*job, sys.executable, TRAIN, "--layout", layout, "--epochs", str(epochs), "--output", output]
        try:
            subprocess.run(command, check=True, timeout=seconds, stdout=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            sys.exit(f"layout {layout}: the job was ended after {seconds:g} s")
        except subprocess.CalledProcessError as why:  # its message has been shown
            sys.exit(f"layout {layout}: the job ended with status {why.returncode}")
        with np.load(output) as archive:
            return dict(archive)


def line(layout: str, y: np.ndarray) -> str:
    """A curve over the epochs, through these heights in pixels."""
    x = np.linspace(LEFT, WIDTH - RIGHT, len(y))
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    stroke = f'stroke="{COLOURS[layout]}" stroke-width="{WIDTHS[layout]}"'
    return f'<polyline fill="none" {stroke} points="{points}"/>'


def loss_line(layout: str, losses: np.ndarray, one: np.ndarray) -> str:
    """The curve of losses, on a scale from 0 to the first loss of one process."""
    top, bottom = LOSS
    return line(layout, bottom - losses / one[0] * (bottom - top))


def difference_line(layout: str, losses: np.ndarray, one: np.ndarray) -> str:
    """The curve of differences from the losses of one process, on a logarithmic scale."""
    top, bottom = DIFFERENCE
    power = np.log10(np.clip(np.abs(losses - one), 10.0**LEAST, 10.0**MOST))
    return line(layout, bottom - (power - LEAST) / (MOST - LEAST) * (bottom - top))


def tick(y: float, label: str) -> str:
    """A horizontal line across the picture, with its label."""
    rule = f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>'
    return f'{rule}<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'


def svg(curves: dict[str, np.ndarray]) -> str:
    """The curves, and their differences from that of one process, as SVG text."""
    one, height = curves["one"], DIFFERENCE[1] + 30
    names = {"one": "one process", "dp": "data-parallel, 2 ranks", "tp": "tensor-parallel, 2 ranks"}
    (top, bottom), (upper, lower) = LOSS, DIFFERENCE
    steps = [n / 4 for n in range(math.floor(one[0] * 4) + 1)]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="11">',
        "<title>Loss by epoch in one process and on two ranks; below, the difference from one process</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        *(tick(bottom - v / one[0] * (bottom - top), f"{v:g}") for v in steps),
        *(tick(lower - (n - LEAST) / (MOST - LEAST) * (lower - upper), f"1e{n}") for n in range(LEAST, MOST + 1, 2)),
        f'<text x="{LEFT}" y="{upper - 14}">difference from the loss of one process</text>',
        f'<text x="{WIDTH - RIGHT}" y="{height - 10}" text-anchor="end">epoch {len(one)}</text>',
    ]
    for n, (layout, losses) in enumerate(curves.items()):
        x = LEFT + 190 * n
        out.append(f'<rect x="{x}" y="12" width="14" height="{WIDTHS[layout]}" fill="{COLOURS[layout]}"/>')
        out.append(f'<text x="{x + 20}" y="18">{names[layout]}</text>')
        out.append(loss_line(layout, losses, one))
        if layout != "one":
            out.append(difference_line(layout, losses, one))
    return "\n".join([*out, "</svg>", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare training on one process and on two ranks.")
    parser.add_argument("--epochs", type=int, default=120, help="passes over the images (default: 120)")
    parser.add_argument("--svg", type=Path, default=Path("curves.svg"), metavar="FILE.svg", help="default: curves.svg")
    parser.add_argument("--seconds", type=float, default=300, help="end a job that takes longer (default: 300)")
    arguments = parser.parse_args()

    curves, worst = {}, 0.0
    print("layout  last loss  accuracy  largest difference from one process")
    for layout in COLOURS:
        found = trained(layout, arguments.epochs, arguments.seconds)
        curves[layout] = found["losses"]
        difference = float(np.abs(curves[layout] - curves["one"]).max())
        print(f"{layout:6}  {curves[layout][-1]:9.6f}  {found['accuracy']:8.4f}  {difference:.1e}", flush=True)
        worst = max(worst, difference)
    arguments.svg.write_text(svg(curves), encoding="utf-8")
    print(f"wrote {arguments.svg}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
