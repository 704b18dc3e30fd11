"""Newton's method without a Hessian matrix: products of the Hessian with vectors, by the gradient of a gradient.

    python examples/hessian_vector.py

Minimises Rosenbrock's function of 12 numbers. H·v is the gradient of x ↦ ∇f(x) · v; conjugate gradients solve
H·s = -∇f(x) with products alone. For comparison, `mind.hessian` gives the matrix.
"""

import numpy as np

import mind_mlir as mind


def rosenbrock(x):
    """Σ 100 (x[i+1] - x[i]²)² + (1 - x[i])², which is 0 where every x[i] is 1."""
    return mind.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


gradient = mind.jit(mind.grad(rosenbrock))
hessian = mind.jit(mind.hessian(rosenbrock))


@mind.jit
def hessian_vector(x, v):
    """H(x) · v."""
    return mind.grad(lambda x: mind.dot(mind.grad(rosenbrock)(x), v))(x)


def conjugate_gradients(product, b: np.ndarray, steps: int) -> np.ndarray:
    """The solution of A·s = b for a positive definite A, of which only products with vectors are given.

    If A is not positive definite along a direction, what was found so far, or b itself.
    """
    s, r = np.zeros_like(b), b.copy()
    d = r.copy()
    for _ in range(steps):
        if r @ r < 1e-24:
            break
        a = product(d)
        if d @ a <= 0:
            return s if s.any() else b
        step = (r @ r) / (d @ a)
        s, new = s + step * d, r - step * a
        d = new + (new @ new) / (r @ r) * d
        r = new
    return s


def main() -> None:
    x = np.full(12, -1.0)
    v = np.linspace(-1, 1, 12)
    np.testing.assert_allclose(hessian_vector(x, v), hessian(x) @ v, rtol=1e-12)
    print("H · v by the gradient of a gradient equals the matrix times v")

    f = mind.jit(rosenbrock)
    for n in range(200):
        g = gradient(x)
        if n % 5 == 0 or np.abs(g).max() < 1e-9:
            print(f"step {n:3}  f = {float(f(x)):10.3e}  largest |∇f| = {np.abs(g).max():9.3e}")
        if np.abs(g).max() < 1e-9:
            break
        s = conjugate_gradients(lambda d, x=x: hessian_vector(x, d), -g, steps=24)
        t = 1.0
        while f(x + t * s) > f(x) + 1e-4 * t * (g @ s) and t > 1e-8:  # until f falls enough
            t /= 2
        x = x + t * s
    print("x =", np.array2string(x, precision=6))
    np.testing.assert_allclose(x, np.ones(12), atol=1e-8)


if __name__ == "__main__":
    main()
