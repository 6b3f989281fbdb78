"""soak.py SECONDS: mixed load on the backend, as several people on all five designs; memory stays flat, and nothing fails."""

import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from backend import Backend, Client

THREADS = 8


class Caller(threading.Thread):
    def __init__(self, backend: Backend, number: int, until: float) -> None:
        super().__init__()
        self.backend, self.number, self.until = backend, number, until
        self.random = random.Random(number)
        self.requests = 0
        self.failure: str | None = None
        self.ids: list[str] = []

    def run(self) -> None:
        try:
            clients = {design: Client(self.backend.port, people["operator"]) for design, people in self.backend.tokens.items()}
            stranger = Client(self.backend.port, self.backend.tokens["platform"]["joan"])
            while time.monotonic() < self.until:
                self.step(clients, stranger)
        except Exception as failure:  # noqa: BLE001: told at the end
            self.failure = repr(failure)

    def expect(self, answer: tuple, *statuses: int) -> tuple:
        self.requests += 1
        assert answer[0] in statuses, answer
        return answer

    def step(self, clients: dict[str, Client], stranger: Client) -> None:
        platform = clients["platform"]
        match self.random.randrange(10):
            case 0 | 1:
                body = {"enterpriseId": "globex", "endDate": "2030-01-01", "seats": 1, "note": "soak " * 50}
                key = str(self.random.randrange(1 << 60))
                created = self.expect(platform.request("POST", "/v1/platform/licenses?tenant=northwind", body, Idempotency_Key=key), 201)
                self.ids.append(created[1]["licenseId"])
                if self.random.random() < 0.2:
                    again = self.expect(platform.request("POST", "/v1/platform/licenses?tenant=northwind", body, Idempotency_Key=key), 201)
                    assert again[1] == created[1], again
            case 2 if self.ids:
                path = f"/v1/platform/licenses/{self.random.choice(self.ids)}?tenant=northwind"
                self.expect(platform.request("PATCH", path, {"seats": self.random.randrange(1, 100)}), 200)
            case 3 | 4 if self.ids:
                self.expect(platform.request("GET", f"/v1/platform/licenses/{self.random.choice(self.ids)}?tenant=northwind"), 200)
            case 5 if len(self.ids) > 20:
                # As many go as come: what is stored does not grow without end.
                while len(self.ids) > 10:
                    self.expect(platform.request("DELETE", f"/v1/platform/licenses/{self.ids.pop()}?tenant=northwind"), 204)
            case 6:
                self.expect(platform.request("GET", "/v1/platform/patterns/expiring-licenses?before=2026-01-31&take=20"), 200)
            case 7:
                self.expect(clients["catalogue"].request("GET", "/v1/catalogue/patterns/sites-by-tag?tag=css&take=20"), 200)
                self.expect(clients["archive"].request("GET", "/v1/archive/settings"), 200, 404)
            case 8:
                self.expect(stranger.request("GET", "/v1/platform/licenses/nw-1"), 404)
                self.expect(stranger.request("POST", "/v1/platform/licenses", {"seats": 0}), 400, 403, 404, 422)
            case _:
                self.expect(platform.request("GET", "/v1/platform/licenses/nw-2?tenant=northwind"), 200)


def main() -> None:
    seconds = float(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        backend = Backend(Path(folder))
        started = time.monotonic()
        callers = [Caller(backend, number, started + seconds) for number in range(THREADS)]
        for caller in callers:
            caller.start()
        samples = []
        while any(caller.is_alive() for caller in callers):
            time.sleep(min(5, seconds / 20))
            samples.append(backend.resident_megabytes())
        failures = [caller.failure for caller in callers if caller.failure]
        requests = sum(caller.requests for caller in callers)
        # The first quarter fills caches and the write buffer.
        quarter = len(samples) // 4
        early, late = max(samples[quarter : 2 * quarter]), max(samples[-quarter:])
        print(f"soak: {requests} requests in {seconds:.0f} s; {early:.0f} MB at most in the second quarter, {late:.0f} MB in the last")
        assert not failures, failures
        assert late < early * 1.2 + 10, f"memory grows: {samples}"
        assert backend.stop() == 0, "the backend did not end well"


main()
