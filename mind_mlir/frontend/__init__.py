"""The Python front end: functions traced into modules, and transforms of functions.  docs/python.md is its tour.

    place          where in the user's program an error belongs
    operands       what stands beside a traced value: scalars, arrays
    unknown        values without numbers, and what they refuse
    trace_builder  records what is done with them
    indexing       x[...]
    functions      NumPy-like functions
    tracer         traced values, whose operators call these functions
    trees          nested arguments and results
    staging        a function becomes a module, once for each structure, shape and dtype
    program        a module that runs on arrays, or is repeated in the trace of its arguments
    jitted         jit
    meshed         functions that know their mesh, as transforms see them
    sharded        jit on a mesh
    gradients      grad, value_and_grad, vjp
    forward        jvp, linearize
    jacobians      jacfwd, jacrev, hessian
    traces         trace, backward_on_trace
    custom         custom_vjp, custom_jvp
    calls          their operations

The names are attributes of `mind_mlir`, which imports this package when the first of them is used.
"""
