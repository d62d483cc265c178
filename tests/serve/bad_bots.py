"""Bots that an operator should not have offered."""

import time


def hangs(view, legal):
    """Never answers."""
    while True:
        time.sleep(0.01)


def crashes(view, legal):
    """Raises."""
    raise RuntimeError("I hold " + ", ".join(view["hand"]))


def lies(view, legal):
    """Answers with what is not legal."""
    return "catch"


class Chatty:
    """Prints what it sees, which must not spoil the conversation; plays the first legal action."""

    def act(self, view, legal):
        print("thinking", flush=True)
        return legal[0]


def remembers(view, legal):
    """Answers with what it was told, and spoils its copy."""
    told = [event["type"] for event in view["events"]]
    view["events"].clear()
    return " ".join(told)
