"""Fits a curve by Gauss-Newton steps, with products J·v by `jvp` and Jᵀ·w by `vjp`; J is never formed.

    python examples/gauss_newton.py

The curve is y = a · exp(-b t) + c; the step s solves (JᵀJ) s = -Jᵀr for the residuals r.
"""

import numpy as np

import mind_mlir as mind

TIMES = np.linspace(0.0, 4.0, 40)
TRUE = {"a": np.float64(2.5), "b": np.float64(1.3), "c": np.float64(0.5)}


def curve(p, t):
    """a · exp(-b t) + c"""
    return p["a"] * mind.exp(-(p["b"] * t)) + p["c"]


def residuals(p, measured):
    """The difference between the curve and the measurement, at every time."""
    return curve(p, TIMES) - measured


@mind.jit
def gauss_newton_product(p, v, measured):
    """(JᵀJ) v: forward mode, then reverse mode."""
    _, jv = mind.jvp(lambda p: residuals(p, measured), (p,), (v,))
    _, transposed = mind.vjp(lambda p: residuals(p, measured), p)
    (product,) = transposed(jv)
    return product


@mind.jit
def loss_and_gradient(p, measured):
    """½ Σ r², and Jᵀ r."""
    return mind.value_and_grad(lambda p: mind.sum(residuals(p, measured) ** 2) * 0.5)(p)


def main() -> None:
    noise = np.random.RandomState(0).randn(len(TIMES)) * 0.01
    measured = TRUE["a"] * np.exp(-TRUE["b"] * TIMES) + TRUE["c"] + noise
    p = {"a": np.float64(1.0), "b": np.float64(1.0), "c": np.float64(0.0)}
    names = sorted(p)
    unit = [{k: np.float64(k == n) for k in names} for n in names]
    for n in range(12):
        loss, g = loss_and_gradient(p, measured)
        shown = ", ".join(f"{k} = {float(p[k]):.4f}" for k in names)
        print(f"step {n:2}  ½ Σ r² = {float(loss):.3e}  {shown}")
        # with three parameters, three products give the matrix of the normal equations
        matrix = np.array([[float(gauss_newton_product(p, u, measured)[k]) for k in names] for u in unit])
        step = np.linalg.solve(matrix, -np.array([float(g[k]) for k in names]))
        if np.abs(step).max() < 1e-10:
            break
        p = {k: np.float64(p[k] + s) for k, s in zip(names, step)}
    for k in names:
        assert abs(float(p[k]) - TRUE[k]) < 0.02, f"{k} is off"


if __name__ == "__main__":
    main()
