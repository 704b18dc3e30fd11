"""Writes the loss and the gradients of a network with one hidden layer as one artifact for NVIDIA GPUs.

    python examples/gpu/mlp_gradient.py [-o FOLDER]

The network is that of examples/digits. FOLDER.npz is written too, with arguments and the results of the CPU, with which
examples/gpu/run.py compares those of the GPU.
"""

from gradients import main
from networks import MLP, mlp

if __name__ == "__main__":
    main(mlp, MLP, "mlp")
