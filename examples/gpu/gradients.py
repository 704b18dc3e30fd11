"""Writes a network's loss and gradients as one artifact, for cnn_gradient.py and mlp_gradient.py."""

import argparse
import sys
from pathlib import Path

import numpy as np

import mind_mlir as mind

sys.path.append(str(Path(__file__).resolve().parent.parent / "digits"))
from networks import cross_entropy, initial

BATCH = 32


def step(network):
    """The function of weights, images and targets that gives the loss and the gradient of every weight."""
    return mind.value_and_grad(lambda p, x, t: cross_entropy(network(p, x), t))


def arguments(shapes: dict) -> tuple:
    """Weights as at the start of training, and a batch of images and targets."""
    r = np.random.RandomState(0)
    x = r.uniform(0, 1, (BATCH, 64)).astype(np.float32)
    t = np.eye(10, dtype=np.float32)[r.randint(0, 10, BATCH)]
    return initial(shapes, r), x, t


def main(network, shapes: dict, name: str) -> None:
    """Write the artifact, and arrays to run it on with the results of the CPU."""
    parser = argparse.ArgumentParser(description=f"Writes the loss and the gradients of the {name} for NVIDIA GPUs.")
    parser.add_argument("-o", "--output", default=f"{name}_gradient", metavar="FOLDER", help="default: %(default)s")
    parser.add_argument("--numerics", default="default", choices=["default", "strict", "fast"])
    options = parser.parse_args()

    p, x, t = arguments(shapes)
    module = mind.canonicalize(mind.trace(step(network), p, x, t).module)
    mind.write_artifact(module, options.output, name=f"{name}_gradient", numerics=options.numerics)

    named = {f"p.{key}": value for key, value in p.items()} | {"x": x, "t": t}
    results = mind.compile(module)(**named)
    np.savez(f"{options.output}.npz", **named, **{f"out{n}": a for n, a in enumerate(results)})

    outputs = ["loss", *[f"gradient of {key}" for key in sorted(shapes)]]
    print(f"{options.output}: {len(module.operations)} operations as one artifact")
    for n, (what, type) in enumerate(zip(outputs, module.output_types)):
        print(f"  out{n}  {what:16} {type}")
    for file in sorted(Path(options.output).iterdir()):
        print(f"  {file.name:16} {file.stat().st_size / 1024:7.1f} KB")
