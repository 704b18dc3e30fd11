"""Writes the loss and the gradients of a convolutional network as one artifact for NVIDIA GPUs.

    python examples/gpu/cnn_gradient.py [-o FOLDER]

The network is that of examples/digits. FOLDER.npz is written too, with arguments and the results of the CPU, with which
examples/gpu/run.py compares those of the GPU.
"""

from gradients import main
from networks import CNN, cnn

if __name__ == "__main__":
    main(cnn, CNN, "cnn")
