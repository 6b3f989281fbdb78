# Generated from design.yaml by `keyfold generate terraform`. Do not edit: change the design and generate again.

# Measured values in keys, as text, numbers and binary.
resource "aws_dynamodb_table" "readings" {
  name         = "readings"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "PK"
  range_key    = "SK"

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "GSI1PK"
    type = "S"
  }

  attribute {
    name = "GSI1SK"
    type = "N"
  }

  attribute {
    name = "digest"
    type = "B"
  }

  attribute {
    name = "GSI2SK"
    type = "S"
  }

  # the readings of a unit by value, spread over shards
  global_secondary_index {
    name            = "GSI1"
    hash_key        = "GSI1PK"
    range_key       = "GSI1SK"
    projection_type = "ALL"
  }

  # readings with the same digest
  global_secondary_index {
    name            = "GSI2"
    hash_key        = "digest"
    range_key       = "GSI2SK"
    projection_type = "ALL"
  }
}
