"""`python -m uno_arena` is `uno-arena`."""

import sys

from .cli import main

sys.exit(main())
