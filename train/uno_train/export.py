"""`uno-train export RUN bot.onnx`: a checkpoint as an ONNX file, for servers and other languages.

The graph is put together node by node from the weights, so neither torch's exporter nor torch
itself is needed, and the file says in its own terms what the network does:

    obs, mask (bytes) -> order of the colours -> columns in that order, sums
    -> layers -> logits, value

Networks that read seats in the order of turn begin with that permutation and end with its inverse.
"""

import json
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from uno_agents.base import AgentError
from uno_agents.neural import canonical as colors
from uno_agents.neural import sum_features as sums
from uno_agents.neural import turn_order
from uno_agents.neural.agent import compiled_policy
from uno_agents.neural.experts import Expert, experts_of, split_weights
from uno_agents.neural.input_layout import NUM_COLORS, InputLayout
from uno_agents.neural.kernels.forward import ILLEGAL_LOGIT
from uno_agents.neural.mlp import check_shapes, input_scales
from uno_agents.neural.onnx import load_onnx
from uno_agents.neural.policy_overrides import Policy
from uno_agents.neural.weights import (
    CheckpointError,
    layout_of,
    read_weights,
    reads_seats_by_turn,
    weights_path,
)
from uno_agents.pretrained import pretrained_path

import uno_env
from uno_env.array_types import Floats
from uno_env.command_line import CommandParser

OPSET = 17
IR_VERSION = 8
"""Of 2022, so that older runtimes and other languages read it too."""
TOLERANCE = 1e-3
"""Largest difference of a logit that rounding may make."""
EXAMPLE = "uno-train export runs/quick/best bot.onnx"


class Graph:
    """An ONNX graph that grows node by node; every method returns the name of what it made."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: npt.ArrayLike, kind: type) -> str:
        """An array of the file."""
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(array, kind), name))
        return name

    def add(self, kind: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        """One operation; `name` names its output."""
        from onnx import helper

        out = name or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], **attributes))
        return out

    def linear(self, x: str, weight: Floats, bias: Floats) -> str:
        """A fully connected layer, weights (outputs, inputs)."""
        parts = (self.constant(weight, np.float32), self.constant(bias, np.float32))
        return self.add("Gemm", x, *parts, transB=1)


def _order(graph: Graph, octets: str, layout: InputLayout) -> str:
    """Which of the 24 orders of the colours each row is read in (B,)."""
    from onnx import TensorProto

    weights, bias = colors.sort_key_weights(layout)
    keys = graph.linear(octets, weights.T, bias)
    across = graph.add("Unsqueeze", keys, graph.constant([1], np.int64))
    down = graph.add("Unsqueeze", keys, graph.constant([2], np.int64))
    above = graph.add("Cast", graph.add("Greater", across, down), to=TensorProto.INT64)
    last = graph.constant([-1], np.int64)
    ranks = graph.add("ReduceSum", above, last, keepdims=0)
    places = NUM_COLORS ** np.arange(NUM_COLORS)
    digits = graph.add("Mul", ranks, graph.constant(places, np.int64))
    code = graph.add("ReduceSum", digits, last, keepdims=0)
    # Of the 256 codes only 24 are orders, so the tables below need only as many rows.
    rows = np.zeros(colors.NUM_CODES)
    rows[_codes()] = np.arange(len(_codes()))
    return graph.add("Gather", graph.constant(rows, np.int64), code)


def _codes() -> list[int]:
    return sorted(colors.permutation_code(order) for order in permutations(range(NUM_COLORS)))


def _turned(graph: Graph, x: str, table: npt.NDArray[np.int64], order: str) -> str:
    """The columns of each row as the table's row of its order says."""
    return _by_code(graph, x, table[_codes()], order)


def _by_code(graph: Graph, x: str, table: npt.NDArray[np.int64], code: str) -> str:
    """The columns of each row as the table's row of its code says."""
    index = graph.add("Gather", graph.constant(table, np.int32), code)
    return graph.add("GatherElements", x, index, axis=1)


def _seat_code(graph: Graph, octets: str) -> str:
    """The code of each row's order of turn (B,)."""
    from onnx import TensorProto

    code = graph.add("MatMul", octets, graph.constant(turn_order.code_weights(), np.float32))
    most = graph.constant(turn_order.NUM_CODES - 1, np.float32)
    return graph.add("Cast", graph.add("Min", code, most), to=TensorProto.INT64)


def _sums(graph: Graph, octets: str, layout: InputLayout) -> str:
    """What `uno_agents.neural.sum_features` answers of each row (B, 60)."""
    from onnx import TensorProto

    total, start = (graph.constant(key, np.float32) for key in sums.row_weights(layout))
    most = graph.constant(sums.MAX_TOTAL, np.float32)
    total = graph.add("Min", graph.add("MatMul", octets, total), most)
    row = graph.add("Add", graph.add("MatMul", octets, start), total)
    row = graph.add("Cast", row, to=TensorProto.INT64)
    return graph.add("Gather", graph.constant(sums.feature_table(), np.float32), row)


def _network(
    graph: Graph,
    octets: str,
    weights: Mapping[str, Floats],
    hidden: Sequence[int],
    layout: InputLayout,
    by_turn: bool,
) -> tuple[str, str]:
    """Logits (B, actions), not masked yet, and values (B, 1) of one network."""
    check_shapes(weights, hidden, layout)
    if by_turn:
        seat_code = _seat_code(graph, octets)
        seat_columns, seat_actions = turn_order.order_tables()
        octets = _by_code(graph, octets, seat_columns, seat_code)
    order = _order(graph, octets, layout)
    columns, choices = colors.permutation_tables(layout)
    in_order, summed = _turned(graph, octets, columns, order), _sums(graph, octets, layout)
    x = graph.add("Concat", in_order, summed, axis=1)
    x = graph.add("Mul", x, graph.constant(input_scales(layout), np.float32))
    for depth in range(len(hidden)):
        layer = f"trunk.{2 * depth}"
        x = graph.linear(x, weights[f"{layer}.weight"], weights[f"{layer}.bias"])
        x = graph.add("Relu", x)
    policy = graph.linear(x, weights["policy.weight"], weights["policy.bias"])
    value = graph.linear(x, weights["value.weight"], weights["value.bias"])
    logits = _turned(graph, policy, np.argsort(choices, axis=1), order)
    if by_turn:
        logits = _by_code(graph, logits, np.argsort(seat_actions, axis=1), seat_code)
    return logits, value


def _gate(graph: Graph, octets: str, expert: Expert) -> str:
    """A column that is true where an expert decides: all bytes of its gate, no unknown card."""
    from onnx import TensorProto

    def is_set(column: int) -> str:
        place = graph.constant([column], np.int64)
        octet = graph.add("Gather", octets, place, axis=1)
        return graph.add("Cast", octet, to=TensorProto.BOOL)

    columns = expert.columns()
    parts = [*map(is_set, columns.on), *(graph.add("Not", is_set(off)) for off in columns.off)]
    return reduce(lambda all_of, part: graph.add("And", all_of, part), parts)


def build_model(
    weights: Mapping[str, Floats], hidden: Sequence[int], metadata: Mapping[str, Any]
) -> Any:
    """The ONNX model of a policy network, or of a mixture of experts."""
    from onnx import TensorProto, helper

    layout, experts = layout_of(metadata), experts_of(metadata)
    base, *others = split_weights(weights, len(experts))
    graph = Graph()
    octets = graph.add("Cast", "obs", to=TensorProto.FLOAT)
    logits, value = _network(graph, octets, base, hidden, layout, reads_seats_by_turn(metadata))
    # The first gate that holds counts, so it is applied last.
    for expert, arrays in reversed(list(zip(experts, others, strict=True))):
        found = _network(graph, octets, arrays, expert.hidden, layout, expert.seats_by_turn)
        is_on = _gate(graph, octets, expert)
        logits = graph.add("Where", is_on, found[0], logits)
        value = graph.add("Where", is_on, found[1], value)
    graph.add("Squeeze", value, graph.constant([1], np.int64), name="value")
    legal = graph.add("Cast", "mask", to=TensorProto.BOOL)
    graph.add("Where", legal, logits, graph.constant(ILLEGAL_LOGIT, np.float32), name="logits")
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.UINT8, ["games", size])
        for name, size in (("obs", layout.obs_size), ("mask", layout.num_actions))
    ]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["games", layout.num_actions]),
        helper.make_tensor_value_info("value", TensorProto.FLOAT, ["games"]),
    ]
    whole = helper.make_graph(graph.nodes, "uno_env policy", inputs, outputs, graph.constants)
    model = helper.make_model(
        whole,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="uno_env",
        producer_version=uno_env.__version__,
        doc_string=f"Plays UNO: {metadata.get('rules')}. Inputs as in docs/observation.md.",
    )
    helper.set_model_props(model, {"uno_env": json.dumps(dict(metadata))})
    return model


def export_onnx(place: str, out: Path) -> float:
    """Write the ONNX file of a checkpoint; the largest difference of a logit when it is played.

    The file is read back and asked about real positions before it is put in place.
    """
    from onnx import checker

    from .checkpoint import write_at_once

    if out.suffix != ".onnx":
        raise AgentError(f"{out} does not end in .onnx, by which agents know the format")
    named = place.removeprefix("pretrained:")
    path = pretrained_path(named) if named != place else weights_path(place)
    weights, metadata = read_weights(path)
    model = build_model(weights, metadata["hidden"], metadata)
    checker.check_model(model, full_check=True)
    part = out.with_name(f".{out.name}.part.onnx")
    out.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(model.SerializeToString())
    try:
        worst = _difference(part, compiled_policy(weights, metadata))
        if worst > TOLERANCE:
            raise CheckpointError(f"{out} would differ from {path} by {worst:.2g} in a logit")
        write_at_once(out, part.read_bytes())
    finally:
        part.unlink()
    return worst


def _difference(path: Path, original: Policy) -> float:
    """The largest difference to the original over positions of every variant."""
    exported = load_onnx(path).policy
    v = uno_env.vec(list(uno_env.VARIANTS), 16 * len(uno_env.VARIANTS), 4, seed=1)
    v.reset()
    worst = 0.0
    for _ in range(40):
        ours = original(v.obs, v.mask)
        theirs = exported(v.obs, v.mask)
        worst = max(worst, *(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True)))
        v.step(v.random_actions())
    return worst


def main(words: Sequence[str]) -> int:
    """`uno-train export`: write the file and say how it compares."""
    parser = CommandParser(
        example=EXAMPLE,
        prog="uno-train export",
        description="Write a checkpoint as an ONNX file.",
    )
    parser.add_argument("agent", help="checkpoint folder, or pretrained:NAME")
    parser.add_argument("out", type=Path, help="the file to write; its name ends in .onnx")
    options = parser.parse_args(words)
    worst = export_onnx(options.agent, options.out)
    size = options.out.stat().st_size / 1e6
    print(f"{options.out}: {size:.1f} MB, largest difference of a logit {worst:.1g}")
    print(f"It plays as it is: uno-play {options.out}")
    return 0
