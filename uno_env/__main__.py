"""`python -m uno_env` is `uno-env`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
