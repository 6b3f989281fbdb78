#!/usr/bin/env python3
"""Fails when a locked dependency has a known vulnerability or was yanked.

Three sources, of which the first needs no network:
1. scripts/advisories.txt, a selection of the RustSec database;
2. the index of crates.io, for yanked versions;
3. `cargo audit`, where it is installed, with the whole RustSec database.
What cannot be reached is named as skipped.
"""

import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADVISORIES = ROOT / "scripts" / "advisories.txt"
LOCK_FILES = [ROOT / "Cargo.lock", ROOT / "fuzz" / "Cargo.lock"]
INDEX = "https://index.crates.io"


def number(version: str) -> tuple[int, ...]:
    """The numbers of a version, without its pre-release and build parts.

    >>> number("0.6.1+5.3.0-1"), number("1.12")
    ((0, 6, 1), (1, 12, 0))
    """
    parts = [int(part) for part in version.split("+")[0].split("-")[0].split(".")]
    return tuple(parts + [0] * (3 - len(parts)))


def satisfies(version: str, requirement: str) -> bool:
    """Whether a version is within one of the ranges of a requirement.

    >>> patched = ">=1.44.2 or >=1.43.1,<1.44.0"
    >>> [satisfies(version, patched) for version in ("1.43.0", "1.43.1", "1.44.1", "1.44.2", "2.0.0")]
    [False, True, False, True, True]
    """

    def holds(comparator: str) -> bool:
        if comparator.startswith(">="):
            return number(version) >= number(comparator[2:])
        if comparator.startswith("<"):
            return number(version) < number(comparator[1:])
        raise ValueError(f"`{comparator}` is not a comparator; write `>=1.2.3` or `<1.2.3`")

    ranges = requirement.split(" or ")
    return any(all(holds(comparator.strip()) for comparator in one.split(",")) for one in ranges)


def advisories() -> list[tuple[str, str, str]]:
    lines = (line.strip() for line in ADVISORIES.read_text(encoding="utf-8").splitlines())
    rows = (line.split(maxsplit=2) for line in lines if line and not line.startswith("#"))
    return [(advisory, crate, patched) for advisory, crate, patched in rows]


def locked_packages() -> set[tuple[str, str]]:
    """The packages that come from crates.io, with their versions."""
    packages = set()
    for lock_file in LOCK_FILES:
        for package in tomllib.loads(lock_file.read_text(encoding="utf-8"))["package"]:
            if "source" in package:
                packages.add((package["name"], package["version"]))
    return packages


def index_path(name: str) -> str:
    """Where the index keeps a crate.

    >>> index_path("h2"), index_path("cel"), index_path("tokio")
    ('2/h2', '3/c/cel', 'to/ki/tokio')
    """
    name = name.lower()
    if len(name) <= 2:
        return f"{len(name)}/{name}"
    if len(name) == 3:
        return f"3/{name[0]}/{name}"
    return f"{name[:2]}/{name[2:4]}/{name}"


def yanked_versions(name: str) -> set[str]:
    with urllib.request.urlopen(f"{INDEX}/{index_path(name)}", timeout=20) as response:
        lines = response.read().decode().splitlines()
    # Some crates have hundreds of versions with long descriptions each; most were never yanked.
    entries = (json.loads(line) for line in lines if '"yanked":true' in line)
    return {entry["vers"] for entry in entries if entry["yanked"]}


def find_yanked(packages: set[tuple[str, str]]) -> list[str]:
    names = sorted({name for name, _ in packages})
    with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:
        yanked = dict(zip(names, pool.map(yanked_versions, names)))
    return [f"{name} {version}: yanked" for name, version in sorted(packages) if version in yanked[name]]


def find_vulnerable(packages: set[tuple[str, str]]) -> list[str]:
    found = []
    for advisory, crate, patched in advisories():
        for name, version in sorted(packages):
            if name == crate and not satisfies(version, patched):
                found.append(f"{name} {version}: {advisory}, patched in {patched}")
    return found


def run_cargo_audit() -> list[str]:
    found = []
    for lock_file in LOCK_FILES:
        command = ["cargo", "audit", "--quiet", "--file", str(lock_file)]
        audit = subprocess.run(command, capture_output=True, text=True, check=False)
        if "couldn't fetch advisory database" in audit.stderr:
            print("skipped: cargo audit cannot fetch its database")
            return []
        if audit.returncode != 0:
            found.append(f"cargo audit of {lock_file.relative_to(ROOT)}:\n{audit.stdout}{audit.stderr}")
    return found


def main() -> None:
    packages = locked_packages()
    problems = find_vulnerable(packages)
    print(f"{len(packages)} locked packages against {len(advisories())} advisories of scripts/advisories.txt")
    try:
        problems += find_yanked(packages)
        print("no locked version is yanked" if not problems else "compared with the index of crates.io")
    except (urllib.error.URLError, TimeoutError) as error:
        print(f"skipped: yanked versions, since {INDEX} cannot be reached ({error})")
    if shutil.which("cargo-audit"):
        problems += run_cargo_audit()
    else:
        print("skipped: the whole RustSec database, since cargo-audit is not installed (cargo install cargo-audit)")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    main()
