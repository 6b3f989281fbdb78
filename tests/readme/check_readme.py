"""Runs the commands of README.md as a newcomer would, and compares what they print with what the README shows.

    check_readme.py FOLDER_WITH_KEYFOLD SCRATCH_FOLDER

A block of commands followed at once by a second block is a claim: every line of the second block must be printed, in
this order, by the commands of the first. `…` stands for any text, and times match any time. A block that stands alone
must be in `ALONE`, so that a new one cannot escape unnoticed.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/rest"))

from backend import free_port, tokens_of  # noqa: E402  (it is found by the line above)

# Blocks without output beside them, by their first line, and why they are not run here.
ALONE = {
    "error[KF012]: `License` has no attribute `licenceId`": "the mistake that `misspelled_design` makes",
    "keyfold import table app_data --aws --out design.yaml      # or --data DIR, --endpoint URL": "needs Amazon DynamoDB; tests of `import` run it",
    "# keyfold.yaml": "settings; tests of `config` read it",
    "let (design, _warnings) = keyfold_design::load(\"design.yaml\", text).map_err(|errors| format!(\"{errors:?}\"))?;": "compiled by tests of `typed`",
}

# Commands that are shown failing: the first at once, the second when it is repeated.
MUST_FAIL = ("keyfold delete",)
MUST_FAIL_AGAIN = ("aws dynamodb put-item",)


class Mismatch(Exception):
    pass


def blocks(text: str) -> list[tuple[str, int, int, list[str]]]:
    """The fenced blocks: language, first and last line number, lines."""
    found, inside = [], None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("```"):
            if inside is None:
                inside = (line[3:], number, [])
            else:
                found.append((inside[0], inside[1], number, inside[2]))
                inside = None
        elif inside is not None:
            inside[2].append(line)
    return found


def claims(text: str) -> list[tuple[int, str, list[str]]]:
    """Commands with the line of their block, and the lines that they are said to print."""
    found, pending = [], None
    for language, first, last, lines in blocks(text):
        if pending is not None and first == pending[1] + 1 and not language:
            found.append((pending[0], "\n".join(pending[2]), lines))
            pending = None
            continue
        if pending is not None:
            stands_alone(pending[0], pending[2])
        pending = (first, last, lines)
    if pending is not None:
        stands_alone(pending[0], pending[2])
    return found


def stands_alone(line: int, lines: list[str]) -> None:
    if lines[0] not in ALONE:
        raise Mismatch(f"README.md:{line}: this block shows no output and is not listed in {Path(__file__).name}:\n{lines[0]}")


def pattern_of(line: str) -> re.Pattern[str]:
    """The shown line as a pattern for a whole printed line."""
    pattern = re.sub(r"(\\ )?…", ".*", re.escape(line))
    pattern = re.sub(r"\d{4}\\-\d\d\\-\d\dT\d\d:\d\d:\d\d\\\.\d{3}Z", r"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z", pattern)
    return re.compile(pattern)


def compare(line: int, shown: list[str], printed: str) -> None:
    rest = iter(printed.splitlines())
    for text in (text.rstrip() for text in shown):
        if text.strip() in ("", "…"):
            continue
        pattern = pattern_of(text)
        if not any(pattern.fullmatch(candidate.rstrip()) for candidate in rest):
            raise Mismatch(f"README.md:{line}: never printed, or not in this place:\n    {text}\nprinted:\n{printed}")


class Newcomer:
    """A folder with the designs, `keyfold` on the PATH, and the servers that the README asks for."""

    def __init__(self, keyfold_folder: Path, scratch: Path) -> None:
        self.home = scratch
        self.environment = {**os.environ, "PATH": f"{keyfold_folder}:{ROOT}/.tools/python/bin:{os.environ['PATH']}", "NO_COLOR": "1"}
        # The ports that the README names may be in use on this machine.
        self.ports = {"8080": free_port(), "8000": free_port(), "8001": free_port()}
        self.servers: list[subprocess.Popen[bytes]] = []
        (scratch / "designs").symlink_to(ROOT / "designs")

    def at_own_ports(self, text: str) -> str:
        for shown, used in self.ports.items():
            text = text.replace(f"127.0.0.1:{shown}", f"127.0.0.1:{used}")
        return text

    def at_shown_ports(self, text: str) -> str:
        for shown, used in self.ports.items():
            text = text.replace(f"127.0.0.1:{used}", f"127.0.0.1:{shown}")
        return text

    def start(self, name: str, command: list[str], url: str) -> Path:
        log = self.home / f"{name}.log"
        with open(log, "wb") as output:
            server = subprocess.Popen(command, cwd=self.home, env=self.environment, stdout=output, stderr=subprocess.STDOUT)
        self.servers.append(server)
        deadline = time.monotonic() + 60
        while subprocess.run(["curl", "--silent", "--output", "/dev/null", url], check=False).returncode != 0:
            if server.poll() is not None or time.monotonic() > deadline:
                raise Mismatch(f"`{' '.join(command)}` did not start:\n{log.read_text()}")
            time.sleep(0.05)
        return log

    def serve_designs(self) -> str:
        """What `./run` does once `keyfold` is built."""
        designs = sorted(f"designs/{file.parent.name}" for file in (ROOT / "designs").glob("*/design.yaml"))
        ports = ["--port", str(self.ports["8080"]), "--dynamodb-port", str(self.ports["8000"])]
        log = self.start("run", ["keyfold", "serve", "--dev", *designs, *ports], self.at_own_ports("http://127.0.0.1:8080/readyz"))
        printed = log.read_text()
        tokens = tokens_of(printed)["platform"]
        self.environment.update(OPERATOR=tokens["operator"], ADA=tokens["ada"])
        return printed

    def serve_engine(self) -> None:
        command = ["keyfold", "engine", "serve", "--in-memory", "--port", str(self.ports["8001"])]
        self.start("engine", command, self.at_own_ports("http://127.0.0.1:8001"))

    def run(self, line: int, commands: str) -> str:
        if commands == "./run":
            return self.at_shown_ports(self.serve_designs())
        # Variables of one block are there in the next, as in one terminal.
        state = self.home / "variables"
        script = f"set -e\n[ ! -e '{state}' ] || . '{state}'\n"
        for command in re.split(r"\n(?=\S)", commands.replace("\\\n", "\\\x00")):
            command = command.replace("\x00", "\n")
            if command.startswith(MUST_FAIL_AGAIN):
                script += f"{command}\n"
            fails = command.startswith(MUST_FAIL + MUST_FAIL_AGAIN)
            script += f"if {command}; then exit 99; fi\n" if fails else f"{command}\n"
            # Lines of a response need an end to be compared.
            script += "echo\n"
        script += f"declare -p | grep -v ' -[a-zA-Z-]*r' >'{state}'\n"
        done = subprocess.run(["bash", "-c", self.at_own_ports(script)], cwd=self.home, env=self.environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        if done.returncode != 0:
            raise Mismatch(f"README.md:{line}: exit code {done.returncode}:\n{commands}\nprinted:\n{done.stdout}")
        return self.at_shown_ports(done.stdout)

    def misspelled_design(self) -> None:
        """The mistake that the README asks for, in a copy."""
        copy = self.home / "copy.yaml"
        text = (ROOT / "designs/platform/design.yaml").read_text()
        if "SK: LICENSE#<licenseId>" not in text:
            raise Mismatch("README.md: the key that it misspells is not in designs/platform")
        copy.write_text(text.replace("SK: LICENSE#<licenseId>", "SK: LICENSE#<licenceId>"))
        done = subprocess.run(["keyfold", "check", str(copy)], env=self.environment, check=False, capture_output=True, text=True)
        message = next(line for line in ALONE if line.startswith("error["))
        if message not in done.stdout + done.stderr:
            raise Mismatch(f"README.md: `{message}` was not printed:\n{done.stdout}{done.stderr}")

    def stop(self) -> None:
        for server in self.servers:
            server.send_signal(signal.SIGTERM)
        for server in self.servers:
            server.wait(timeout=20)


def main() -> None:
    newcomer = Newcomer(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    try:
        found = claims((ROOT / "README.md").read_text())
        newcomer.serve_engine()
        for line, commands, shown in found:
            compare(line, shown, newcomer.run(line, commands))
        newcomer.misspelled_design()
    except Mismatch as mismatch:
        sys.exit(f"check_readme: {mismatch}")
    finally:
        newcomer.stop()
    print(f"check_readme: {len(found)} blocks of commands print what README.md shows")


main()
