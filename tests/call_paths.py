"""`python tests/call_paths.py NAME`: the files that a path passes through, in order of first call.

The engine runs as plain Python, so that a profiler sees the kernels too.
"""

import asyncio
import os
import sys
import threading
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"
ROOT = Path(__file__).resolve().parents[1]


def step():
    """One action in the PettingZoo environment."""
    import uno_env

    env = uno_env.env("classic", num_players=2)
    env.reset(seed=7)
    action = int(env.last()[0]["action_mask"].argmax())
    return lambda: (env.step(action), env.last())


def training_iteration():
    """One iteration of PPO: a rollout, and the update from it."""
    from uno_train.config import TrainConfig
    from uno_train.ppo import Learner

    size = {"num_envs": 2, "rollout_steps": 4, "minibatch": 8, "hidden": (24,), "threads": 1}
    learner = Learner(TrainConfig(imitation_decisions=0, **size))
    return lambda: learner.iteration(0.5)


def act_request():
    """One `POST /v1/act`, answered by the heuristic."""
    import httpx
    from uno_serve.api.app import create_app
    from uno_serve.config import ServeConfig

    import uno_env

    app, _ = create_app(ServeConfig(db="sqlite://"))
    view = uno_env.Game("classic", num_players=2, seed=7).view(0)
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bots")
    loop = asyncio.new_event_loop()

    def ask():
        asked = client.post("/v1/act", json={"bot": "heuristic", "view": view})
        assert loop.run_until_complete(asked).status_code == 200

    ask()  # the first request loads the bot
    return ask


def arena_game():
    """One deal of a tournament."""
    import uno_arena

    return lambda: uno_arena.tournament(["greedy", "random"], deals=2, players=[2])


def files(path):
    """Files of this repository in the order in which a function of each is first called."""
    seen = {}
    recording = False

    def note(frame, event, _):
        code = frame.f_code
        if recording and event == "call" and code.co_name != "<module>":
            seen.setdefault(code.co_filename)

    threading.setprofile(note)  # for threads that are yet to start, pools among them
    run = globals()[path]()
    recording = True
    sys.setprofile(note)
    run()
    sys.setprofile(None)
    recording = False
    inside = [Path(name) for name in seen if name.startswith(str(ROOT)) and ".venv" not in name]
    return [file.relative_to(ROOT).as_posix() for file in inside]


if __name__ == "__main__":
    print(*files(sys.argv[1]), sep="\n")
