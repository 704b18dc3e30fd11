"""Code for NVIDIA GPUs: kernels, their launches, and what they become: NVVM, PTX, cubin."""
