"""NumPy's functions called with traced values: they are the functions of `mind` of the same names."""

from __future__ import annotations

import inspect
from typing import Any

from .functions import catalogue, linalg, missing
from .place import error
from .unknown import Unknown, unknown


def numpy_ufunc(x: Unknown, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function of an element-wise one of NumPy's. E6010 if there is none, or it is called otherwise."""
    name = ufunc.__name__
    if method != "__call__":
        raise unknown(x, f"np.{name}.{method}", "reductions are functions of mind: mind.sum, mind.max, mind.prod")
    if "out" in kwargs:
        raise unknown(x, f"np.{name} into an array", "an array does not take traced values; write y = y + x for y += x")
    return _called(x, name, inputs, kwargs)


def numpy_function(x: Unknown, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function of another one of NumPy's. E6010 if there is none."""
    name, module = function.__name__, function.__module__.partition("numpy.")[2]
    return _called(x, f"{module}.{name}" if module else name, args, kwargs)


def _called(x: Unknown, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    module, _, own = name.rpartition(".")
    if module == "linalg" and own in linalg.__all__:
        function = getattr(linalg, own)
    elif catalogue.exists(name):
        function = catalogue.function(name)
    else:
        raise unknown(x, f"np.{name}", missing.instead(name) or "docs/functions.md lists the functions of mind")
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError as why:
        help = f"mind.{name}{inspect.signature(function)} is what it would be"
        raise error("E4013", f"np.{name} of a traced value: {why}", help=help) from None
    return function(*args, **kwargs)
