"""Convolution in general; StableHLO convolution. Core v1 has Conv2d. docs/semantics.md, Conv."""

from dataclasses import replace

from ..ir import DType, Growth, Linearity, Op, Reject, Rounding, TensorType, bf16, f16, f32, f64, i8, i32, np, op, u8
from ..ir.attributes import Count, Flag, Ints, Name, OptionalDType
from ._conv_adjoints import filter_adjoint, input_adjoint
from ._conv_axes import dilated, layout_terms, layout_text, outputs, spread
from ._conv_phases import lowered
from ._mixed import array_in, lowered_in, product_dtype, value_in
from ._rules import check_extents


@op
class Conv(Op):
    """Convolution over any spatial axes, in any layout, strided, padded, dilated and in groups.

    `layout` names the axes of input, filter and result, such as `"NHWC, HWIO -> NHWC"`: N batch, C channels, I and O
    channels in and out of the filter, other letters spatial. All lists have a number for each spatial axis in the order
    of the filter; an empty one means 1 everywhere, for `low` and `high` 0. Along a spatial axis

        result[y] = Σ_(i, c) padded[y · stride + i · filter_dilation, c] · filter[i, c]

    where `padded` is the input with `input_dilation - 1` zeros between neighbours, `low` before and `high` after them,
    or elements removed if these are negative. With `reverse` i counts from the window's end. Sums run in ascending
    (i, c), spatial axes in the order of the filter. The channels of input and result form `groups`, each with filters
    of its own; with `batch_groups` the batch of the input does, and the channels of the result. With `element_type` the
    operands are converted to it before.
    """

    layout: Name
    strides: Ints = ()
    low: Ints = ()
    high: Ints = ()
    input_dilation: Ints = ()
    filter_dilation: Ints = ()
    reverse: Flag = False
    groups: Count = 1
    batch_groups: Count = 1
    element_type: OptionalDType = None

    linearity = Linearity.EACH
    core_v1 = False
    rounding = Rounding(Growth.PRODUCTS)

    def infer_type(self, input, filter):
        dtype = product_dtype("Conv", input, filter, self.element_type, ("input", "filter"))
        terms = layout_terms(self.layout)
        rank = len(terms[0])
        for i, (what, x) in enumerate((("input", input), ("filter", filter))):
            if x.rank != rank:
                raise Reject(
                    "E3002", f"Conv with layout {self.layout} takes rank {rank}, {what} is {x}", at=f"operand {i}"
                )
        self._check_groups(input.shape, filter.shape, terms)
        strides, low, high, gaps, steps = self.full()
        spatial = self.spatial()
        found = outputs(
            "Conv",
            spatial,
            [dilated(input.shape[terms[0].index(c)], d) for c, d in zip(spatial, gaps)],
            [dilated(filter.shape[terms[1].index(c)], d) for c, d in zip(spatial, steps)],
            strides,
            list(zip(low, high)),
        )
        batch = input.shape[terms[0].index("N")] // self.batch_groups
        extents = [batch, filter.shape[terms[1].index("O")], *found]
        letters = ["N", "C", *spatial]
        shape = tuple([extents[letters.index(c)] for c in terms[2]])
        return TensorType(dtype, check_extents("Conv", shape))

    def _check_groups(self, input, filter, terms):
        """E4009 unless the channels fit the filter, and groups divide what they are groups of."""
        batch, channels = input[terms[0].index("N")], input[terms[0].index("C")]
        into, out = filter[terms[1].index("I")], filter[terms[1].index("O")]
        many, batches = self.groups, self.batch_groups
        if many < 1 or batches < 1 or (many > 1 and batches > 1):
            raise Reject(
                "E4009",
                f"Conv has {many} groups and {batches} batch_groups",
                help="both are 1 or more, and one of them is 1",
                at="groups",
            )
        if channels != into * many:
            raise Reject(
                "E4009",
                f"Conv input has {channels} channels, the filter takes {into} in each of {many} groups",
                note=f"input is {list(input)}, filter is {list(filter)}, layout {self.layout}",
            )
        if out % (many * batches) or batch % batches:
            raise Reject(
                "E4009", f"Conv cannot divide {out} filters and a batch of {batch} into {many * batches} groups"
            )

    def spatial(self):
        """The letters of the spatial axes, in the order of the filter."""
        return [c for c in layout_terms(self.layout)[1] if c not in "IO"]

    def full(self):
        """Strides, low, high, input and filter dilation, a number for each axis. E4010 for another count, or < 1."""
        count = len(self.spatial())
        out = []
        for what in ("strides", "low", "high", "input_dilation", "filter_dilation"):
            values = list(getattr(self, what))
            is_padding = what in ("low", "high")
            if values and (len(values) != count or (not is_padding and min(values) < 1)):
                kind = "numbers" if is_padding else "positive numbers"
                raise Reject("E4010", f"Conv takes {count} {kind} as {what}, found {values}", at=what)
            out.append(values or [0 if is_padding else 1] * count)
        return out

    def canonical(self, input, filter):
        strides, low, high, gaps, steps = self.full()
        terms = layout_terms(self.layout)
        is_turned = any(filter.shape[terms[1].index(c)] > 1 for c in self.spatial())
        converts = self.element_type is not None and (self.element_type, self.element_type) != (
            input.dtype,
            filter.dtype,
        )
        return Conv(
            layout_text(terms),
            _unless(strides, 1),
            _unless(low, 0),
            _unless(high, 0),
            _unless(gaps, 1),
            _unless(steps, 1),
            self.reverse and is_turned,
            self.groups,
            self.batch_groups,
            self.element_type if converts else None,
        )

    def padded(self, input):
        """The type of the input with its padding, in its layout."""
        _, low, high, gaps, _ = self.full()
        term, spatial = layout_terms(self.layout)[0], self.spatial()
        shape = list(input.shape)
        for c, l, h, gap in zip(spatial, low, high, gaps):
            axis = term.index(c)
            shape[axis] = l + dilated(shape[axis], gap) + h
        return TensorType(self.element_type or input.dtype, tuple(shape))

    def scratch(self, input, filter):
        return (self.padded(input),)

    def evaluate(self, input, filter):
        input, filter = array_in(self.element_type, input), array_in(self.element_type, filter)
        types = TensorType.of_array(input), TensorType.of_array(filter)
        out = replace(self, element_type=None).infer_type(*types)
        to_input, to_filter, to_result = layout_terms(self.layout)
        spatial, many = self.spatial(), self.groups * self.batch_groups
        strides, low, high, gaps, steps = self.full()
        x = np.transpose(input, [to_input.index(c) for c in ("N", *spatial, "C")])
        w = np.transpose(filter, [to_filter.index(c) for c in (*spatial, "I", "O")])
        for axis, pads in enumerate(zip(low, high, gaps), 1):
            x = spread(x, axis, *pads)
        # groups next to their channels: x is [N, spatial, groups, C], w [spatial, I, groups, O]
        if self.batch_groups > 1:
            x = np.moveaxis(x.reshape((many, x.shape[0] // many, *x.shape[1:])), 0, -2)
        else:
            x = x.reshape((*x.shape[:-1], many, x.shape[-1] // many))
        w = w.reshape((*w.shape[:-1], many, w.shape[-1] // many))
        extents = [out.shape[to_result.index(c)] for c in spatial]
        total = np.zeros((x.shape[0], *extents, many, w.shape[-1]), input.dtype)
        for i in np.ndindex(w.shape[: len(spatial)]):
            at = [k - 1 - p for k, p in zip(w.shape, i)] if self.reverse else i
            starts = [p * step for p, step in zip(at, steps)]
            windows = tuple(slice(s, s + n * k, k) for s, n, k in zip(starts, extents, strides))
            seen = x[(slice(None),) + windows]
            for c in range(w.shape[-3]):
                total = total + seen[..., c, np.newaxis] * w[i][c]
        total = total.reshape((*total.shape[:-2], many * w.shape[-1]))
        return np.transpose(total, [("N", *spatial, "C").index(c) for c in to_result])

    def adjoint(self, b, ct, operands, wrt):
        # y = x ∗ w  ->  x̄ += the input that ȳ reaches through w,  w̄ += the products of x and ȳ
        wide = [x if n == wrt else value_in(b, x, ct.type.dtype) for n, x in enumerate(operands)]
        return value_in(b, self._adjoint(b, ct, wide, wrt), operands[wrt].type.dtype)

    def _adjoint(self, b, ct, operands, wrt):
        input, filter = operands
        if not (input.type.size and filter.type.size and ct.type.size):
            return b.zeros(TensorType(ct.type.dtype, operands[wrt].shape))
        if self.is_conv2d():
            strides, low, high, _, _ = self.full()
            padding = tuple(zip(low, high))
            if wrt == 0:
                return b.Conv2dBackwardInput(ct, filter, input.shape, strides, padding)
            return b.Conv2dBackwardFilter(input, ct, filter.shape, strides, padding)
        if wrt == 0:
            return input_adjoint(b, self, ct, filter, input.type)
        return filter_adjoint(b, self, input, ct, filter.type)

    def is_conv2d(self):
        """True if Conv2d is the same."""
        a, *spatial = self.spatial() or [""]
        term = ["N", a, *spatial, "C"]
        _, low, high, gaps, steps = self.full()
        return (
            len(spatial) == 1
            and layout_terms(self.layout) == [term, [a, *spatial, "I", "O"], term]
            and min([*low, *high]) >= 0
            and max([*gaps, *steps, self.groups, self.batch_groups]) == 1
            and not self.reverse
        )

    def fold(self, b, input, filter):
        if self.element_type is not None:
            x, w = value_in(b, input, self.element_type), value_in(b, filter, self.element_type)
            return b.emit(replace(self, element_type=None), x, w)
        if not self.is_conv2d():
            return None
        strides, low, high, _, _ = self.full()
        return b.Conv2d(input, filter, strides, tuple(zip(low, high)))

    def dims(self, input, filter):
        to_input, to_filter, to_result = layout_terms(self.layout)
        into, out = filter.shape[to_filter.index("I")], filter.shape[to_filter.index("O")]
        many = self.groups * self.batch_groups
        channels = _dim(many, out // many, "f")
        batch = _dim(self.batch_groups, input.shape[to_input.index("N")] // self.batch_groups, "n")
        of_input = {"N": batch, "C": _dim(self.groups, into, "c")}
        of_filter = {"I": "c" if self.groups == 1 or into > 1 else "_", "O": channels}
        of_result = {"N": "n" if batch != "_" else "_", "C": channels}
        pairs = ((to_input, of_input), (to_filter, of_filter), (to_result, of_result))
        terms = [" ".join([names.get(c, "_") for c in term]) for term, names in pairs]
        return f"{terms[0]}, {terms[1]} -> {terms[2]}"

    def localized(self, result, input, filter):
        to_input, to_filter, to_result = layout_terms(self.layout)
        into, batch = filter.shape[to_filter.index("I")], result.shape[to_result.index("N")]
        groups, batches = self.groups, self.batch_groups
        if groups > 1 and into:
            groups = input.shape[to_input.index("C")] // into
        if batches > 1 and batch:
            batches = input.shape[to_input.index("N")] // batch
        return replace(self, groups=groups, batch_groups=batches)

    def lower(self, e, result, input, filter):
        input, filter = lowered_in(e, input, result.dtype), lowered_in(e, filter, result.dtype)
        terms = layout_terms(self.layout)
        return lowered(e, result, input, filter, terms, self.full(), [self.groups, self.batch_groups], self.reverse)

    @classmethod
    def samples(cls):
        two, one, three = "NHWC, HWIO -> NHWC", "NWC, WIO -> NWC", "NDHWC, DHWIO -> NDHWC"
        return [
            (cls(two, (2, 1), (1, 0), (0, 1)), (f32(2, 5, 4, 3), f32(3, 2, 3, 2))),  # as Conv2d
            (cls(two, groups=3), (f32(1, 4, 4, 3), f32(2, 3, 1, 3))),  # depthwise
            (cls(two, (2, 2), (1, 1), (1, 1), groups=2), (f32(2, 4, 3, 4), f32(3, 3, 2, 6))),
            (cls("NCHW, OIHW -> NCHW", (1, 2), (1, 1), (0, 2)), (f32(2, 3, 4, 5), f32(2, 3, 2, 3))),
            (cls("NCHW, OIHW -> NCHW", high=(1, 2), groups=2), (f32(2, 4, 4, 5), f32(2, 2, 2, 3))),
            (cls("HWNC, OHIW -> CNWH", low=(1, 1), high=(1, 0)), (f32(3, 4, 2, 2), f32(3, 2, 2, 2))),
            (cls(one, (2,), (2,), (-1,), (2,), (3,)), (f64(2, 6, 2), f64(3, 2, 2))),  # dilated, and cut at the end
            (cls(one, (1,), (-1,), (2,), (1,), (1,), True), (f32(1, 6, 2), f32(3, 2, 3))),
            (cls(one, (2,), (1,), (1,), (3,), (2,), True, 2), (f32(2, 4, 2), f32(2, 1, 4))),
            (cls(one, (1,), (1,), (1,), (2,), (2,), True, 1, 2), (f32(4, 4, 2), f32(2, 2, 4))),
            (cls(one, groups=2), (f32(2, 4, 6), f32(2, 3, 2))),  # one filter in each group
            (cls(one, batch_groups=3), (f32(3, 5, 2), f32(2, 2, 3))),
            (cls(three, (1, 1, 2), (1, 0, 0), (0, 0, 0), (), (1, 2, 1)), (f32(1, 2, 3, 4, 2), f32(2, 2, 2, 2, 1))),
            (cls("NC, IO -> NC"), (f32(3, 2), f32(2, 4))),  # no spatial axis
            (cls(one), (i32(1, 4, 2), i32(2, 2, 2))),
            (cls(two), (f32(0, 3, 3, 1), f32(2, 2, 1, 1))),
            (cls(one), (f32(1, 3, 0), f32(2, 0, 2))),
            (cls(one, high=(1,)), (f32(1, 0, 1), f32(1, 1, 2))),  # padding alone
            (cls(one), (f32(1, 3, 1), f32(0, 1, 2))),  # an empty window sums nothing
            (cls(one, (2,), (1,), element_type=DType.I32), (u8(2, 5, 2), i8(3, 2, 2))),
            (cls(two, groups=2, element_type=DType.F32), (bf16(1, 3, 4, 4), bf16(2, 2, 2, 2))),
            (cls(two, element_type=DType.F64), (f32(1, 3, 3, 2), f32(2, 2, 2, 1))),
            (cls(one, element_type=DType.F32), (f16(1, 4, 2), f16(2, 2, 2))),
        ]


def _unless(values, usual):
    """The values, or none if all are the usual one."""
    return () if all(n == usual for n in values) else tuple(values)


def _dim(many, each, name):
    """An axis of `many` groups of `each`, as `Op.dims` names it."""
    if many == 1:
        return name
    return "g" if each == 1 else f"(g={many} {name}={each})" if each else "_"
