"""Bodies of ASGI requests that are read once and given to another application."""

from starlette.types import Message, Receive


async def read_all(receive: Receive) -> bytes:
    """The whole body of a request whose limits were checked before."""
    chunks: list[bytes] = []
    more = True
    while more:
        message = await receive()
        chunks.append(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
    return b"".join(chunks)


def buffered(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once more, then what the client sends."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
