"""`python -m uno_train` is `uno-train`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
