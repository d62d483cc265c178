"""Forward pass of a policy network over rows of bytes: sparse inputs, legal actions only.

About a hundred of an observation's 1,280 bytes are not zero, about half the activations of each
layer are zero, and a handful of the 208 actions is legal. Skipping zeros and illegal actions takes
a fraction of the work of dense matrix products.
"""

import numpy as np

from uno_env.engine.jit import jit, jit_entry

from ..sum_features import MAX_TOTAL

ILLEGAL_LOGIT = np.float32(-1e9)
# Sums may be reordered, so that the compiler can vectorise them.
REORDER_SUMS = {"reassoc", "contract", "nsz"}


@jit(fastmath=REORDER_SUMS)
def add_rows(factors, rows, count, weights, out, width):
    """Add to `out` the given rows of weights, each times its factor."""
    n = 0
    # Four rows at a time, so that `out` is read and written a quarter as often.
    while n + 4 <= count:
        a, b, c, d = factors[n], factors[n + 1], factors[n + 2], factors[n + 3]
        i, j, k, m = rows[n], rows[n + 1], rows[n + 2], rows[n + 3]
        for x in range(width):
            out[x] += a * weights[i, x] + b * weights[j, x] + c * weights[k, x] + d * weights[m, x]
        n += 4
    while n < count:
        a, i = factors[n], rows[n]
        for x in range(width):
            out[x] += a * weights[i, x]
        n += 1


@jit(fastmath=REORDER_SUMS)
def dot(weights, row, x, width):
    """A row of weights times the first numbers of `x`."""
    total = np.float32(0.0)
    for i in range(width):
        total += weights[row, i] * x[i]
    return total


@jit
def canonical_order(obs, columns, count, key_weights, key_bias, keys):
    """The code of the canonical colour order, see `uno_agents.neural.canonical`."""
    for color in range(4):
        keys[color] = key_bias[color]
    for n in range(count):
        column = columns[n]
        for color in range(4):
            keys[color] += np.float32(obs[column]) * key_weights[column, color]
    code = 0
    digit = 1
    for color in range(4):
        for other in range(4):
            if keys[other] > keys[color]:
                code += digit
        digit *= 4
    return code


@jit
def order_of_turn(obs, inputs, weights, codes):
    """The code of the seats' order, see `uno_agents.neural.turn_order`."""
    code = 0
    for i in range(inputs.shape[0]):
        code += np.int64(obs[inputs[i]]) * weights[i]
    return min(code, codes - 1)  # bytes of strangers may be anything


@jit
def nonzero_columns(obs, columns):
    """Write the columns that are not zero; how many there are."""
    count = 0
    for column in range(obs.shape[0]):
        if obs[column]:
            columns[count] = column
            count += 1
    return count


@jit
def sum_row(obs, columns, count, total_key, start_key):
    """The row of `sum_features.feature_table`; zero where the rules have no sums."""
    total = 0
    start = 0
    for n in range(count):
        column = columns[n]
        total += obs[column] * np.int64(total_key[column])
        start += obs[column] * np.int64(start_key[column])
    return start + min(total, MAX_TOTAL) if start else 0


@jit
def hidden_layers(factors, rows, count, widths, weights, biases, x):
    """Run the hidden layers on sparse inputs; returns the width of the last one.

    Args:
        factors, rows, count: the inputs and their rows of the weights; overwritten.
        x: the output of the last layer is left here.
    """
    start = widths[0]
    width = widths[1]
    for layer in range(1, widths.shape[0]):
        width = widths[layer]
        for i in range(width):
            x[i] = biases[layer - 1, i]
        add_rows(factors, rows, count, weights, x, width)
        count = 0
        for i in range(width):
            x[i] = max(x[i], np.float32(0.0))
            if x[i] > 0.0:
                factors[count] = x[i]
                rows[count] = start + i
                count += 1
        start += width
    return width


@jit_entry("policy network")
def forward(
    obs, mask, key_weights, key_bias, total_key, start_key, sums, seat_inputs, seat_weights,
    seat_columns, seat_actions, column_slots, action_slots, widths, weights, biases, head,
    head_bias, logits, values,
):  # fmt: skip
    """Masked logits and values of a batch.

    Args:
        obs, mask: (B, columns) and (B, actions) bytes.
        key_weights, key_bias: of the colours' sort keys, see `neural.canonical.sort_key_weights`.
        total_key, start_key, sums: the table of sum features and what selects its row.
        seat_inputs, seat_weights: what the code of the order of turn is read from.
        seat_columns, seat_actions: by that code, the place of each raw column and action.
        column_slots, action_slots: by code, the canonical index of each raw column and action.
        widths: of the input and of each hidden layer.
        weights: the hidden layers stacked, one row for each of their inputs.
        biases: one row for each hidden layer.
        head, head_bias: the policy head with the value head as its last row.
        logits, values: written here.
    """
    most = widths.max()
    columns = np.empty(most, np.int64)
    rows = np.empty(most, np.int64)
    factors = np.empty(most, np.float32)
    x = np.empty(most, np.float32)
    keys = np.empty(4, np.float32)
    for b in range(obs.shape[0]):
        count = nonzero_columns(obs[b], columns)
        code = canonical_order(obs[b], columns, count, key_weights, key_bias, keys)
        seat_code = order_of_turn(obs[b], seat_inputs, seat_weights, seat_columns.shape[0])
        for n in range(count):
            factors[n] = np.float32(obs[b, columns[n]])
            rows[n] = column_slots[code, seat_columns[seat_code, columns[n]]]
        row = sum_row(obs[b], columns, count, total_key, start_key)
        row = min(row, sums.shape[0] - 1)  # rule bytes of strangers may be anything
        if row:
            for feature in range(sums.shape[1]):
                if sums[row, feature]:
                    factors[count] = np.float32(1.0)
                    rows[count] = obs.shape[1] + feature
                    count += 1
        width = hidden_layers(factors, rows, count, widths, weights, biases, x)
        for action in range(mask.shape[1]):
            logits[b, action] = ILLEGAL_LOGIT
            if mask[b, action]:
                row = action_slots[code, seat_actions[seat_code, action]]
                logits[b, action] = dot(head, row, x, width) + head_bias[row]
        last = head.shape[0] - 1
        values[b] = dot(head, last, x, width) + head_bias[last]
