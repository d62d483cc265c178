"""Interruptions: Ctrl-C and kill -9 of a real process lose no finished chunk and change nothing."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from uno_arena.cli import main

from .bots import spec

AGENTS = [spec("Diced"), "greedy"]
DEALS = 80
CHUNKS = 2 * DEALS
"""So many that none of the runs below is over before its signal arrives."""
OPTIONS = f"--players 3 --deals {DEALS} --chunk 1 --seed 4 --quiet".split()
PATIENCE = 120.0


def chunks(db):
    """The finished chunks of a database, with the time each took."""
    if not db.exists():
        return {}
    with sqlite3.connect(db) as database:
        try:
            rows = database.execute("SELECT matchup, number, seconds FROM chunks").fetchall()
        except sqlite3.OperationalError:  # no tables yet
            rows = []
    database.close()
    return {(matchup, number): seconds for matchup, number, seconds in rows}


def stop_after(words, db, more, how):
    """Run a command until there are some more chunks, then end it by a signal."""
    before = len(chunks(db))
    process = subprocess.Popen(
        [sys.executable, "-m", "uno_arena", *words, "--db", str(db), "--any-version"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        # Whoever runs the tests in the background ignores Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        end = time.monotonic() + PATIENCE
        while len(chunks(db)) < before + more:
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.02)
        os.kill(process.pid, how)
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, said


def report(path):
    """A JSON report, without the version, which other work in the checkout may change."""
    data = json.loads(path.read_text())
    del data["code_version"]
    return data


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_tournament_that_was_interrupted_twice_equals_one_that_was_not(tmp_path, capsys):
    db = tmp_path / "broken.db"
    code, said = stop_after([*AGENTS, *OPTIONS, "--workers", "0"], db, 3, signal.SIGINT)
    assert code == 130
    assert "to resume:\n  uno-arena --resume --db" in said
    first = chunks(db)
    assert 3 <= len(first) < CHUNKS
    code, _ = stop_after(["--resume", "--quiet"], db, 3, signal.SIGKILL)
    assert code == -signal.SIGKILL
    second = chunks(db)
    assert first.items() <= second.items()
    assert len(first) < len(second) < CHUNKS

    again = [*AGENTS, *OPTIONS, "--workers", "0", "--any-version"]
    assert main([*again, "--db", str(db), "--json", str(tmp_path / "broken.json")]) == 0
    last = chunks(db)
    assert len(last) == CHUNKS
    assert second.items() <= last.items()  # what was there was not played again
    whole = tmp_path / "whole.db"
    assert main([*again, "--db", str(whole), "--json", str(tmp_path / "whole.json")]) == 0
    assert report(tmp_path / "broken.json") == report(tmp_path / "whole.json")
