"""Runs the AWS CLI as a user would, in a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from boto3.dynamodb.types import TypeSerializer

from conftest import ENDPOINT

# What version 1 of the CLI, the one that is a Python package, exits with when the service refuses.
# (Version 2 exits with 254.)
SERVICE_ERROR = 255
USAGE_ERROR = 2


@dataclass
class Outcome:
    status: int
    output: str
    errors: str

    @property
    def json(self):
        assert self.status == 0, self.errors
        return json.loads(self.output)


def dynamodb(*arguments: str) -> Outcome:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {
        "AWS_ACCESS_KEY_ID": "stories",
        "AWS_SECRET_ACCESS_KEY": "stories",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_MAX_ATTEMPTS": "1",
    }
    command = os.path.join(os.path.dirname(sys.executable), "aws")
    finished = subprocess.run(
        [command, "--endpoint-url", ENDPOINT, "dynamodb", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Outcome(finished.returncode, finished.stdout, finished.stderr)


def low_level(item: dict) -> dict:
    """The item in DynamoDB's JSON, as the CLI takes and prints it."""
    return {name: TypeSerializer().serialize(value) for name, value in item.items()}


def text(value) -> str:
    return json.dumps(value)


def refusal(code: str, operation: str, message: str) -> str:
    """What the CLI prints on stderr when the service refuses."""
    return f"\nAn error occurred ({code}) when calling the {operation} operation: {message}\n"
