"""`python -m uno_serve.mcp` is `uno-mcp`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
