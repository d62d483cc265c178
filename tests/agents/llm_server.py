"""A real HTTP server that speaks the chat protocol and plays by simple rules, well or badly.

No language model is at hand in tests; this stands for one over the same protocol. The model's name
says how it behaves.
"""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ACTION = re.compile(r"^(\d+)\. (\S+)", re.MULTILINE)

SLEEPY = 0.2
"""Seconds that the model `sleepy` takes for an answer."""


class ChatServer:
    """Answers `POST /v1/chat/completions`; counts what it was asked."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.at_once = self.most_at_once = 0
        self.guard = threading.Lock()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, answer = chat.answer(body)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # a client that gave up

        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        with self.guard:
            self.requests.append(body)
            number = len(self.requests)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return self._reply(body, number)
        finally:
            with self.guard:
                self.at_once -= 1

    def _reply(self, body: dict[str, Any], number: int) -> tuple[int, dict[str, Any]]:
        behaviour = body["model"]
        texts = [message["content"] for message in body["messages"]]
        choice = best_number(texts[1])
        if behaviour == "slow":
            time.sleep(0.05)
        if behaviour == "sleepy":
            time.sleep(SLEEPY)
        if behaviour == "stuck":
            time.sleep(5)
        if behaviour == "down" or (behaviour == "shaky" and number % 2):
            return 500, {"error": {"message": "try again"}}
        if behaviour == "plain" and "response_format" in body:
            return 400, {"error": {"message": "response_format is not supported"}}
        said = f'{{"action": {choice}}}'
        if behaviour == "wordy":
            said = f"Let me think. 1 is tempting, 2 too.\n\nAnswer: {choice}"
        if behaviour == "hopeless" or (behaviour == "wrong" and len(texts) == 2):
            said = "I would play the purple nine."
        usage = {"prompt_tokens": sum(map(len, texts)) // 4, "completion_tokens": 7}
        message = {"role": "assistant", "content": said}
        return 200, {
            "id": "x", "object": "chat.completion", "created": 0, "model": behaviour,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {**usage, "total_tokens": sum(usage.values())},
        }  # fmt: skip


def best_number(text: str) -> int:
    """The first card to play, else the first action."""
    for number, verb in ACTION.findall(text):
        if verb == "play":
            return int(number)
    return 1
