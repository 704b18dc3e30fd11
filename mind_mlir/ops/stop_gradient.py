"""A value whose derivative is zero. Core v1 has none; JAX's stop_gradient, PyTorch's detach."""

from ..ir import Growth, Linearity, Op, PythonFunction, Rounding, f32, f64, i32, op


@op
class StopGradient(Op):
    """`input`, as a constant for derivatives."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)
    peer = "jax.lax.stop_gradient"
    python_function = PythonFunction(
        "stop_gradient",
        """x, with the derivative zero.

        >>> mind.grad(lambda x: x * mind.stop_gradient(x))(3.0)
        array(3., dtype=float32)
        """,
    )

    def infer_type(self, input):
        return input

    def evaluate(self, input):
        return input

    def fold(self, b, input):
        return input if isinstance(input.op, StopGradient) else None

    def dims(self, input):
        return "... -> ..."

    def smooth_at(self, input):
        return False

    def lower(self, e, result, input):
        return input

    @classmethod
    def samples(cls):
        return [(cls(), (f32(2, 3),)), (cls(), (f64(),)), (cls(), (i32(0, 2),))]
