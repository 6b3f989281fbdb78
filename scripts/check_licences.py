#!/usr/bin/env python3
"""Fails when a crate of the dependency tree cannot be used under the licences of scripts/allowed-licences.txt."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOW_LIST = ROOT / "scripts" / "allowed-licences.txt"
# The fuzz targets stand outside the workspace and have dependencies of their own.
MANIFESTS = [ROOT / "Cargo.toml", ROOT / "fuzz" / "Cargo.toml"]


def allowed_licences() -> set[str]:
    lines = (line.strip() for line in ALLOW_LIST.read_text(encoding="utf-8").splitlines())
    return {line for line in lines if line and not line.startswith("#")}


def packages(manifest: pathlib.Path) -> list[dict]:
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", str(manifest)]
    return json.loads(subprocess.check_output(command))["packages"]


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Evaluates an SPDX expression: of an OR one side must be allowed, of an AND both.

    >>> is_allowed("MIT OR GPL-3.0", {"MIT"}), is_allowed("MIT AND GPL-3.0", {"MIT"})
    (True, False)
    >>> is_allowed("(MIT OR GPL-3.0) AND ISC", {"MIT", "ISC"}), is_allowed("MIT/GPL-3.0", {"MIT"})
    (True, True)
    >>> is_allowed("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"}), is_allowed("", {"MIT"})
    (False, False)
    >>> is_allowed("GPL-3.0 OR MIT AND ISC", {"MIT"}), is_allowed("MPL-2.0+", {"MPL-2.0"})
    (False, True)
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
        # `MPL-2.0+` offers MPL-2.0 itself, among later ones.
        return token.removesuffix("+") in allowed

    if not tokens:
        return False
    verdict = either()
    if peek():
        raise ValueError(f"`{expression}` is not a licence expression")
    return verdict


def main() -> None:
    allowed = allowed_licences()
    licences = {
        f"{package['name']} {package['version']}": package["license"] or ""
        for manifest in MANIFESTS
        if manifest.exists()
        for package in packages(manifest)
    }
    refused = {name: licence for name, licence in licences.items() if not is_allowed(licence, allowed)}
    for name, licence in sorted(refused.items()):
        print(f"licence not allowed: {name}: {licence or 'none given'}", file=sys.stderr)
    if refused:
        sys.exit(1)
    print(f"{len(licences)} packages, every licence allowed")


if __name__ == "__main__":
    main()
