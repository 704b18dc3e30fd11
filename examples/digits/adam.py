"""The optimizer. It treats each element by itself, so it works on any part of the weights as on the whole."""

import numpy as np


class Adam:
    """Adam with a rate that falls linearly to zero. Kingma and Ba, arXiv:1412.6980."""

    def __init__(self, p: dict, rate: float, steps: int) -> None:
        self.rate, self.steps, self.step = np.float32(rate), steps, 0
        self.decay = [1.0, 1.0]  # 0.9^step and 0.999^step
        self.mean = {k: np.zeros_like(v) for k, v in p.items()}
        self.square = {k: np.zeros_like(v) for k, v in p.items()}

    def update(self, p: dict, g: dict) -> dict:
        """The weights after one step along the gradients."""
        self.step += 1
        rate = self.rate * np.float32(1 - (self.step - 1) / self.steps)
        self.decay = [self.decay[0] * 0.9, self.decay[1] * 0.999]
        unbias = [np.float32(1 - d) for d in self.decay]
        out = {}
        for k in p:
            self.mean[k] += np.float32(0.1) * (g[k] - self.mean[k])
            self.square[k] += np.float32(0.001) * (g[k] * g[k] - self.square[k])
            out[k] = p[k] - rate * (self.mean[k] / unbias[0]) / (np.sqrt(self.square[k] / unbias[1]) + np.float32(1e-8))
        return out
