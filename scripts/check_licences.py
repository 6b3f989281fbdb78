#!/usr/bin/env python3
"""Fails when a crate of the dependency tree cannot be used under the licences of scripts/allowed-licences.txt."""

import json
import pathlib
import re
import subprocess
import sys

ALLOW_LIST = pathlib.Path(__file__).with_name("allowed-licences.txt")


def allowed_licences() -> set[str]:
    lines = (line.strip() for line in ALLOW_LIST.read_text(encoding="utf-8").splitlines())
    return {line for line in lines if line and not line.startswith("#")}


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Evaluates an SPDX expression: of an OR one side must be allowed, of an AND both.

    >>> is_allowed("MIT OR GPL-3.0", {"MIT"}), is_allowed("MIT AND GPL-3.0", {"MIT"})
    (True, False)
    >>> is_allowed("(MIT OR GPL-3.0) AND ISC", {"MIT", "ISC"}), is_allowed("MIT/GPL-3.0", {"MIT"})
    (True, True)
    >>> is_allowed("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"}), is_allowed("", {"MIT"})
    (False, False)
    >>> is_allowed("GPL-3.0 OR MIT AND ISC", {"MIT"})
    False
    >>> is_allowed("MIT OR", {"MIT"})
    Traceback (most recent call last):
    ValueError: `MIT OR` is not a licence expression
    """
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        token = peek()
        if not token:
            raise ValueError(f"`{expression}` is not a licence expression")
        position += 1
        return token

    def either() -> bool:
        verdict = both()
        while peek() == "OR":
            take()
            # Both sides are always parsed, so that a malformed right side is noticed.
            verdict = both() or verdict
        return verdict

    def both() -> bool:
        verdict = one()
        while peek() == "AND":
            take()
            verdict = one() and verdict
        return verdict

    def one() -> bool:
        token = take()
        if token == "(":
            verdict = either()
            if take() != ")":
                raise ValueError(f"`{expression}` is not a licence expression")
            return verdict
        if peek() == "WITH":
            take()
            token = f"{token} WITH {take()}"
        return token in allowed

    if not tokens:
        return False
    verdict = either()
    if peek():
        raise ValueError(f"`{expression}` is not a licence expression")
    return verdict


def main() -> None:
    allowed = allowed_licences()
    metadata = json.loads(subprocess.check_output(["cargo", "metadata", "--format-version", "1"]))
    refused = [
        f"{package['name']} {package['version']}: {package['license'] or 'no licence given'}"
        for package in metadata["packages"]
        if not is_allowed(package["license"] or "", allowed)
    ]
    for line in refused:
        print(f"licence not allowed: {line}", file=sys.stderr)
    if refused:
        sys.exit(1)
    print(f"{len(metadata['packages'])} packages, every licence allowed")


if __name__ == "__main__":
    main()
