"""The command-line parser of every command: `uno-play`, `uno-arena`, `uno-train`, `uno-serve`."""

import argparse
from typing import Any


class CommandParser(argparse.ArgumentParser):
    """Help that begins with an example that works.

    Args:
        example: the command line to show first.
    """

    def __init__(self, *, example: str, **options: Any) -> None:
        super().__init__(**options)
        self.example = example

    def format_help(self) -> str:
        """The usual help behind the example."""
        return f"example: {self.example}\n\n{super().format_help()}"
