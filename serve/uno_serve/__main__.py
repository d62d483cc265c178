"""`python -m uno_serve` is `uno-serve`."""

import sys

from .cli import main

sys.exit(main())
