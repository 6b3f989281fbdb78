"""kill.py ROUNDS: kills the backend under load, again and again.

Every write that was acknowledged is there afterwards; every request whose answer was lost is sent again with its Idempotency-Key and has then been
carried out once; the count of licenses at their enterprise agrees with them, and the audit log has each creation once.
"""

import http.client
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from backend import Backend, Client

WRITERS = 16
seed = random.randrange(1 << 32)
chance = random.Random(seed)
print(f"kill: seed {seed}")


class Writer:
    """Makes licenses without ids, patches and deletes them; remembers what it was told, and what it was not."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.random = random.Random(seed + number)
        self.made = 0
        # What the licenses have to be, by their mark: seats, and the address once it is known.
        self.licenses: dict[str, dict] = {}
        self.in_flight: tuple | None = None

    def next_request(self) -> tuple:
        mine = [mark for mark, license in self.licenses.items()]
        if not mine or self.random.random() < 0.5:
            self.made += 1
            mark = f"writer {self.number} license {self.made}"
            body = {"enterpriseId": "globex", "endDate": "2030-01-01", "seats": 1, "note": mark}
            return "POST", "/v1/platform/licenses?tenant=northwind", body, mark
        mark = self.random.choice(mine)
        if self.random.random() < 0.8:
            seats = self.licenses[mark]["seats"] + 1
            return "PATCH", self.licenses[mark]["href"], {"seats": seats}, mark
        return "DELETE", self.licenses[mark]["href"], None, mark

    def send(self, client: Client) -> None:
        """Sends what is under way, or what is next, and notes the answer."""
        if self.in_flight is None:
            key = f"{self.number}-{self.random.randrange(1 << 60)}"
            self.in_flight = (*self.next_request(), key)
        method, path, body, mark, key = self.in_flight
        status, answer, headers = client.request(method, path, body, Idempotency_Key=key)
        expected = {"POST": 201, "PATCH": 200, "DELETE": 204}[method]
        assert status == expected, (status, answer, self.in_flight)
        self.in_flight = None
        if method == "POST":
            self.licenses[mark] = {"seats": answer["seats"], "href": headers["location"]}
        elif method == "PATCH":
            assert answer["seats"] == body["seats"], (answer, body)
            self.licenses[mark]["seats"] = answer["seats"]
        else:
            del self.licenses[mark]


def write_until_killed(backend: Backend, writer: Writer, failures: list) -> None:
    client = Client(backend.port, backend.tokens["platform"]["operator"])
    try:
        while True:
            writer.send(client)
    except (OSError, http.client.HTTPException):
        pass  # killed
    except Exception as failure:  # noqa: BLE001: told at the end of the round
        failures.append(failure)


def pages(client: Client, path: str) -> list:
    found, cursor = [], ""
    while True:
        status, page, _ = client.request("GET", f"{path}&take=100{cursor}")
        assert status == 200, page
        found += page["items"]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def audit(backend: Backend, writers: list[Writer], others: int) -> None:
    client = Client(backend.port, backend.tokens["platform"]["operator"])
    for writer in writers:
        if writer.in_flight is not None:
            writer.send(client)
    stored = [found["item"] for found in pages(client, "/v1/platform/patterns/licenses-by-account?accountId=northwind")]
    marked = Counter(license["note"] for license in stored if license.get("note", "").startswith("writer "))
    expected = {mark: license["seats"] for writer in writers for mark, license in writer.licenses.items()}
    twice = [mark for mark, count in marked.items() if count > 1]
    assert not twice, f"carried out twice: {twice}"
    assert set(marked) == set(expected), f"lost: {set(expected) - set(marked)}; too many: {set(marked) - set(expected)}"
    wrong = [license for license in stored if license.get("note") in expected and license["seats"] != expected[license["note"]]]
    assert not wrong, f"not as acknowledged: {wrong}"
    _, enterprise, _ = client.request("GET", "/v1/platform/enterprises/globex")
    assert enterprise["licenseCount"] == others + len(expected), (enterprise, others, len(expected))
    lines = pages(client, "/v1/platform/audit?tenant=northwind&verb=create&entity=License&outcome=allowed")
    created = Counter(line["identity"] for line in lines)
    there = {license["licenseId"] for license in stored if license.get("note") in expected}
    assert all(count == 1 for count in created.values()), f"logged twice: {created}"
    assert there <= set(created), f"not in the log: {there - set(created)}"


def main() -> None:
    rounds = int(sys.argv[1])
    writers = [Writer(number) for number in range(WRITERS)]
    with tempfile.TemporaryDirectory() as folder:
        backend = Backend(Path(folder))
        client = Client(backend.port, backend.tokens["platform"]["operator"])
        others = client.request("GET", "/v1/platform/enterprises/globex")[1]["licenseCount"]
        for _ in range(rounds):
            failures: list = []
            threads = [threading.Thread(target=write_until_killed, args=(backend, writer, failures)) for writer in writers]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.2, 1.5))
            backend.kill()
            for thread in threads:
                thread.join()
            assert not failures, failures
            lost = sum(writer.in_flight is not None for writer in writers)
            backend = Backend(Path(folder))
            audit(backend, writers, others)
            there = sum(len(writer.licenses) for writer in writers)
            print(f"kill: {lost} answers lost, {there} licenses there, each once", flush=True)
        backend.kill()


main()
