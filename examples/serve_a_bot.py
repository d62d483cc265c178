"""Serve a bot of your own, and let a program of yours play against it over HTTP.

    python examples/serve_a_bot.py

Starts `uno-serve` with the bot of `own_bot.py` on a free port, asks it for a decision in a game of
ours, plays a whole round at a hosted table, and stops the server.
"""

import argparse
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
from uno_agents import make_agent
from uno_serve.client import Client, ServerError

import uno_env

BOT = Path(__file__).with_name("own_bot.py")


# --8<-- [start:server]
def start_server(port: int) -> subprocess.Popen:
    """`uno-serve --bots mine=examples/own_bot.py:ColorBot`, ready when this returns."""
    command = [sys.executable, "-m", "uno_serve", "--port", str(port), "--db", ":memory:",
               "--bots", f"mine={BOT}:ColorBot"]  # fmt: skip
    server = subprocess.Popen(command)  # noqa: S603  # our own interpreter
    for _ in range(600):
        if server.poll() is not None:
            raise SystemExit(f"the server stopped with code {server.returncode}")
        try:
            httpx.get(f"http://127.0.0.1:{port}/readyz").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return server
    server.terminate()
    raise SystemExit("the server was not ready within a minute")


# --8<-- [end:server]
# --8<-- [start:client]
def decide(client: Client, view: dict) -> str:
    """The bot's action; its process is started by the first request, which may take a moment."""
    for _ in range(120):
        try:
            return client.act(view=view, bot="mine").action
        except ServerError as error:
            if error.code != "bot_timeout":
                raise
            time.sleep(0.5)
    raise SystemExit("the bot did not start within a minute")


def play(url: str) -> None:
    """A decision in a game of ours, then a game of the server's."""
    with Client(url) as client:
        game = uno_env.Game("no_mercy", num_players=3, seed=7)
        action = decide(client, game.view(game.actor))
        print("the bot chose", action)
        game.step(action)

        seats = [{"kind": "human", "name": "Ana"}, {"kind": "bot", "bot": "mine"}]
        with client.create_table("classic", seats=seats, bot_delay=0) as seat:
            final = seat.play(make_agent("greedy", seed=1))
            print("won by seat", final.view["winners"])


# --8<-- [end:client]
def main() -> None:
    """Start, play, stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="a server that runs already and has a bot named `mine`")
    options = parser.parse_args()
    if options.url:
        play(options.url)
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = start_server(port)
    try:
        play(f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main()
