"""The command `uno-mcp`: UNO for assistants over stdio or streamable HTTP.

`uno-mcp` starts a `uno-serve` of its own on loopback; `uno-mcp --server URL` uses one that runs.
"""

import contextlib
import os
import sys
from collections.abc import Sequence

from uno_env.command_line import CommandParser

from ..client import Client
from .embedded import ServerFailed, embedded_server

EXAMPLE = "uno-mcp --transport http --port 8765 --server http://127.0.0.1:8000"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = CommandParser(
        example=EXAMPLE, prog="uno-mcp", description="Serve UNO to assistants by MCP."
    )
    parser.add_argument("--server", help="address of a uno-serve (default: one of its own)")
    parser.add_argument("--api-key-env", metavar="NAME", help="variable with the server's API key")
    parser.add_argument("--transport", choices=("stdio", "http"), default="stdio")
    parser.add_argument("--host", default="127.0.0.1", help="of the http transport (127.0.0.1)")
    parser.add_argument("--port", type=int, default=8765, help="of the http transport (8765)")
    options = parser.parse_args(arguments)
    try:
        from .server import make_server
    except ModuleNotFoundError as error:
        print(f"uno-mcp needs {error.name}: pip install 'uno-env[mcp]'", file=sys.stderr)
        return 2
    key = os.environ.get(options.api_key_env) if options.api_key_env else None
    if options.api_key_env and not key:
        print(f"uno-mcp: the variable {options.api_key_env} is not set", file=sys.stderr)
        return 2
    try:
        with contextlib.ExitStack() as stack:
            url = options.server or stack.enter_context(embedded_server())
            client = stack.enter_context(Client(url, api_key=key, timeout=60))
            server = make_server(client)
            if options.transport == "stdio":
                server.run("stdio")
            else:
                server.run("streamable-http", host=options.host, port=options.port)
    except ServerFailed as error:
        print(f"uno-mcp: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
