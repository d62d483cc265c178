"""
# UNO as a PettingZoo environment

| Creation           | `uno_env.env("classic", num_players=4)`                   |
|--------------------|-----------------------------------------------------------|
| From the registry  | `pettingzoo.make("aec", "uno/uno-v0", variant="classic")` |
| Actions            | Discrete                                                  |
| Parallel API       | No: one seat decides at a time                            |
| Manual control     | No                                                        |
| Agents             | `agents = ["player_0", "player_1", ...]`                  |
| Agents             | 2 to 10 (`no_mercy` 2 to 6, `teams` 4, 6 or 8)            |
| Action values      | Discrete(208)                                             |
| Observation shape  | (1280,)                                                   |
| Observation values | [0, 255]                                                  |

UNO in seven variants (`hyper_speed`, `classic`, `no_mercy`, `ig2000`, `loche`, `teams`,
`all_wild`) and house rules built from the same switches. Every choice is an action: the card,
keeping or playing a drawn card, the colour, stacking or taking a penalty, challenging, whom to swap
with, calling UNO, catching, jumping in. Spaces are the same in every variant and at every table
size, so one network can play them all.

```python
import numpy as np
import uno_env

rng = np.random.default_rng(0)
env = uno_env.env("no_mercy", num_players=4)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    legal = np.flatnonzero(observation["action_mask"])
    env.step(None if terminated or truncated else rng.choice(legal))
env.close()
```

`env` checks the order of calls (`step`, `observe` or `last` before `reset`, an `agent_iter` loop
without `step`) with the errors and warnings of PettingZoo's standard wrappers, but without their
overhead; `raw_env` is the same without those checks. Neither needs wrappers, both accept them.

### Arguments

* `variant`: a preset, a rules text such as `"no_mercy(stacking=none)"`, or a `Rules` value.
* `num_players`: seats; by default 2, in `teams` 4.
* `rules`: a `Rules` value instead of `variant`.
* `episode`: `"round"`, or `"match"`: rounds until a total reaches the match target.
* `reward`: `"win"`, `"points"` or `"places"`, see Rewards.
* `render_mode`: `"ansi"`, `"rgb_array"` or `"human"`.
* `render_seat`: whose view is rendered: a seat, `"actor"` (the seat to act) or `"all"`.
* `illegal`: what an illegal action does: `"terminate"`, `"raise"` or `"penalty"`, see Legal Actions
  Mask. The default is `"penalty"` if the rules say `fault_mode="penalty"`, else `"terminate"`.
* `illegal_reward`: reward of the agent whose illegal action ended the episode (-1).
* `void_reward`: reward of every agent when nobody won (0).
* `info_actions`: put the texts of the legal actions into the info of the agent to act.
* `max_cycles`: decisions after which a round is truncated, as `rules.replace(max_steps=...)`.
* `history`: number of past events in the observation, in order, 0 to 48 (0).

`reset(seed=s)` deals the game of `uno_env.Game(..., seed=s)`. `reset()` continues with the
next seed, in the same order as a batch of games; the very first one is random. A copy
(`copy.deepcopy`, `pickle`) is the same game at the same point.

### Observation Space

A dictionary of `"observation"` and `"action_mask"`. The observation is 1,280 bytes in named blocks,
seats relative to the observer, the rules included: `uno_env.describe_observation()` prints the
table, `uno_env.scaled(observation)` turns the bytes into float32. The `version` of the space
`observation_space(agent)["observation"]` is that of the layout.

Observations are copies that never change afterwards. They hold only what the agent may know,
and so does the info:

| key       | when                        | value                                                 |
|-----------|-----------------------------|-------------------------------------------------------|
| `phase`   | always                      | the kind of decision awaited, as the agent may see it |
| `actions` | to act, with `info_actions` | the legal actions as texts                            |
| `reason`  | at the end                  | `won`, `void`, or who took which illegal action       |
| `winners` | at the end                  | the agents that won                                   |
| `scores`  | at the end                  | totals by seat                                        |

Whether a drawn card can be played, and who is asked to jump in, are hidden choices: to the others
the phase stays `play`. `agent_selection` does reveal who is asked, so do not feed
it to an agent.

With `history=n` there is a third entry, `"history"`: the last n events that the agent may know,
oldest first, each as five bytes (event, seat, other seat, face, number), for recurrent and
attention policies. `docs/observation.md` lists the columns.

`env.state()` is for centralised critics: all hands, the draw pile in its order and the observation
of the agent to act, in `env.state_space`. No agent may see it.

### Legal Actions Mask

`action_mask` has a 1 for each legal action. The mask of an agent that is not to act is all zeros,
and so is every mask once the episode has ended. An action whose mask is 0:

* `illegal="terminate"` ends the episode for all. The offender gets `illegal_reward`, the others 0,
  `reason` says who took which action, and PettingZoo's usual warning is logged.
* `illegal="raise"` raises `uno_env.IllegalAction` and changes nothing.
* `illegal="penalty"` applies the fault rule: the seat draws cards and chooses again.

An action outside the action space is an `AssertionError` in every case.

### Action Space

208 actions, the same in all variants: a card to play (or to give, in the phases where cards are
given), `draw`, `keep`, `pass`, `take`, `accept`, `challenge`, the colours, the targets, the pairs
to swap, the UNO calls, `jump-in` and `sum`. `uno_env.action_text(id, phase)` and
`uno_env.action_id(text)` translate.

### Rewards

All rewards come at the end of the episode.

* `"win"`: +1 to each winner, and the others share the loss so that all sum to zero: with one winner
  of four +1 and three times -1/3.
* `"points"`: the points of an agent (in a match its total) less the mean of the others', divided by
  100; with the opposite sign where the lowest total wins. They sum to zero too.
* `"places"`: with the rule `play_on`, from +1 for the first seat out to -1 for the last in equal
  steps; otherwise as `"win"`.

Partners in `teams` win and score together. A void round (a stalemate, or `max_steps` decisions) is
a truncation with `void_reward` for every agent; every other end is a termination.

### Seats That Leave the Round

A seat eliminated by the mercy rule, and a `teams` seat without cards, stays in `agents` until the
episode ends but is not asked to act. PettingZoo removes an agent for good, and these may come back
(in the next round of a match, or when the partner draws) and may still win. Their reward comes at
the end as for all seats, and their observation stays up to date.

### Version History

* v0: first version
"""
