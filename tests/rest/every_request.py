"""every_request.py BACKEND TOKENS SCHEMATHESIS: requests of every kind to every operation of every design, as several people.

schemathesis makes them from each OpenAPI document: right ones, ones at the edges of what is right, and wrong ones. None may end with 5xx, and every
answer has to be one that the document tells of: its status, media type, headers and body.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

backend, tokens_file, schemathesis = sys.argv[1:]
schemathesis = os.path.abspath(schemathesis)
with open(tokens_file, encoding="utf-8") as file:
    tokens: dict[str, dict[str, str]] = json.load(file)

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"


def attack(design: str, who: str, token: str | None) -> bool:
    command = [
        schemathesis, "run", f"{backend}/v1/{design}/openapi.json",
        "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", "12",
        "--generation-deterministic", "--continue-on-failure", "--no-color", "--suppress-health-check", "all",
    ]
    if token is not None:
        command += ["--header", f"Authorization: Bearer {token}"]
    started = time.monotonic()
    # It leaves notes of its own in the folder it runs in.
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    verdict = "held" if run.returncode == 0 else "FAILED"
    print(f"{design} as {who}: {verdict} in {time.monotonic() - started:.0f} s", flush=True)
    if run.returncode != 0:
        print(run.stdout, flush=True)
    return run.returncode == 0


def people(of_design: dict[str, str]) -> list[tuple[str, str | None]]:
    """An operator, someone with a token, and nobody."""
    member = next(subject for subject in of_design if subject != "operator")
    return [("operator", of_design["operator"]), (member, of_design[member]), ("nobody", None)]


attacks = [(design, who, token) for design, of_design in tokens.items() for who, token in people(of_design)]
with ThreadPoolExecutor(2) as pool:
    held = list(pool.map(lambda attacked: attack(*attacked), attacks))
sys.exit(0 if all(held) else 1)
