"""What a test expects of a request that the service finds invalid."""

import pytest
from botocore.exceptions import ClientError


def validation_message(call) -> str:
    """The message of the ValidationException that the call must raise."""
    with pytest.raises(ClientError) as refused:
        call()
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    return refused.value.response["Error"]["Message"]
