"""The newcomer's clock: from `git clone` to a game, a trained agent and a first bot of one's own.

    python -m benchmarks.first_hour                     # all steps, printed
    python -m benchmarks.first_hour --write             # and written into docs/first-hour.md
    python -m benchmarks.first_hour --steps clone game  # some of them, in their order

Everything happens in an empty folder: a clone of the committed state, a new `.venv`, an empty cache
of compiled code. pip may use its own download cache unless `--no-pip-cache` is given.
"""

import argparse
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "first-hour.md"
START, END = "<!-- table -->\n", "<!-- end -->"
READY_WITHIN = 600.0


class Newcomer:
    """A clone in an empty folder, and the environment of its commands.

    Args:
        folder: where everything goes.
        pip_cache: whether pip may use what it has downloaded before.
    """

    def __init__(self, folder: Path, pip_cache: bool) -> None:
        self.clone_dir = folder / "uno_env"
        self.env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self.env["UNO_ENV_CACHE_DIR"] = str(folder / "cache")
        if not pip_cache:
            self.env["PIP_NO_CACHE_DIR"] = "1"

    def run(self, *command: str) -> None:
        """A command in the clone; its output is shown, and a failure ends the measurement."""
        print("$", " ".join(command), flush=True)
        subprocess.run(command, cwd=self.clone_dir, env=self.env, check=True)  # noqa: S603

    def clone(self) -> None:
        """`git clone`."""
        git = shutil.which("git") or "git"
        command = [git, "clone", "--quiet", str(ROOT), str(self.clone_dir)]
        subprocess.run(command, check=True)  # noqa: S603

    def game(self) -> None:
        """What `make play` does, up to the first card dealt at a table."""
        self.run("make", "--silent", ".venv/.installed-serve")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(  # noqa: S603
            [".venv/bin/python", "-m", "uno_serve", "--port", str(port), "--db", ":memory:"],
            cwd=self.clone_dir,
            env=self.env,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(f"{url}/readyz", server)
            with urllib.request.urlopen(url + "/") as page:  # noqa: S310  # our own server
                page.read()
            seats = [{"kind": "human"}, {"kind": "bot"}]
            table = _post(f"{url}/v1/tables", {"rules": "classic", "seats": seats})
            print("dealt at table", table["table"], flush=True)
        finally:
            server.terminate()
            server.wait(30)

    def trained(self) -> None:
        """`make train`: the packages of training, two and a half minutes of it, and its result."""
        self.run("make", "--silent", "train")

    def bot(self) -> None:
        """The bot of the tutorial in the arena."""
        bot = "examples/own_bot.py:ColorBot"
        self.run(".venv/bin/uno-arena", bot, "greedy", "--players", "2", "--deals", "100")


STEPS: dict[str, tuple[str, Callable[[Newcomer], None]]] = {
    "clone": ("`git clone`", Newcomer.clone),
    "game": ("a game in the browser (`make play`)", Newcomer.game),
    "trained": ("a trained agent (`make train`)", Newcomer.trained),
    "bot": ("a first bot of one's own in the arena", Newcomer.bot),
}


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310  # our own server
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return dict(json.load(answer))


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + READY_WITHIN
    while time.monotonic() < end:
        if server.poll() is not None:
            raise SystemExit(f"the server stopped with code {server.returncode}")
        try:
            urllib.request.urlopen(url).close()  # noqa: S310  # our own server
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"{url} did not answer within {READY_WITHIN:.0f} s")


def measure(steps: list[str], folder: Path, pip_cache: bool) -> list[tuple[str, float]]:
    """Seconds of each step, in order."""
    newcomer = Newcomer(folder, pip_cache)
    found = []
    for name in steps:
        text, step = STEPS[name]
        start = time.monotonic()
        step(newcomer)
        found.append((text, time.monotonic() - start))
        print(f"== {text}: {found[-1][1]:.1f} s", flush=True)
    return found


def table(found: list[tuple[str, float]], load: float, pip_cache: bool) -> str:
    """The result as Markdown."""
    lines = ["| step | seconds | since the start |", "|---|---:|---:|"]
    total = 0.0
    for text, seconds in found:
        total += seconds
        minutes, rest = divmod(round(total), 60)
        lines.append(f"| {text} | {seconds:.0f} | {minutes} min {rest} s |")
    cache = "with pip's download cache" if pip_cache else "without pip's download cache"
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return "\n".join(lines) + f"\n\n{machine}, load {load:.1f} at the start, {cache}.\n"


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument(
        "--write", action="store_true", help="put the table into docs/first-hour.md"
    )
    parser.add_argument("--no-pip-cache", action="store_true", help="download everything")
    options = parser.parse_args()
    if "clone" not in options.steps:
        parser.error("--steps: without `clone` there is nothing to run in")
    steps = [name for name in STEPS if name in options.steps]
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="first-hour-") as folder:
        found = measure(steps, Path(folder), not options.no_pip_cache)
    text = table(found, load, not options.no_pip_cache)
    print(text)
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
        PAGE.write_text(before + START + text + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
