"""A REST backend in a process of its own, in development mode unless it is told otherwise, and a client of it."""

import base64
import http.client
import json
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

KEYFOLD = Path(__file__).parents[2] / "target" / "checks" / "keyfold"
DESIGNS = sorted(str(file.parent) for file in (Path(__file__).parents[2] / "designs").glob("*/design.yaml"))


def tokens_of(log: str) -> dict[str, dict[str, str]]:
    """The tokens that the development mode printed: by design and subject."""

    def subject_of(token: str) -> str:
        claims = token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]

    tokens: dict[str, dict[str, str]] = {}
    for design, token in re.findall(r"^# ([\w-]+): .*\nTOKEN=(\S+)$", log, re.MULTILINE):
        # The first of two people of one name is the one of the first tenant.
        tokens.setdefault(design, {}).setdefault(subject_of(token), token)
    return tokens


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Backend:
    def __init__(self, folder: Path, *arguments: str, mode: tuple[str, ...] = ("--dev",), port: int | None = None) -> None:
        self.port = port or free_port()
        self.log = folder / "backend.log"
        command = [KEYFOLD, "serve", *mode, "--data", folder / "data", "--port", str(self.port), "--dynamodb-port", "none"]
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([*command, *arguments, *DESIGNS], stdout=log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the backend did not start:\n{self.log.read_text()}")
            time.sleep(0.02)
        self.tokens = tokens_of(self.log.read_text())

    def answers(self) -> bool:
        try:
            return Client(self.port).request("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def __enter__(self) -> "Backend":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def resident_megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


class Client:
    """One keep-alive connection."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def request(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, object, dict[str, str]]:
        """Status, body and headers; headers are given with _ for -."""
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), sent)
        response = self.connection.getresponse()
        text = response.read()
        is_json = "json" in (response.getheader("Content-Type") or "")
        told = {name.lower(): value for name, value in response.getheaders()}
        return response.status, json.loads(text) if is_json else text, told
