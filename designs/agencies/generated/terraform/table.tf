# Generated from design.yaml by `keyfold generate terraform`. Do not edit: change the design and generate again.

# Agencies and their members, each agency a tenant of its own.
resource "aws_dynamodb_table" "agencies" {
  name         = "agencies"
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
    name = "type"
    type = "S"
  }

  attribute {
    name = "created"
    type = "S"
  }

  attribute {
    name = "idpid"
    type = "S"
  }

  attribute {
    name = "agencyId"
    type = "S"
  }

  # every item of one type in the order of creation
  global_secondary_index {
    name            = "GSI1"
    hash_key        = "type"
    range_key       = "created"
    projection_type = "ALL"
  }

  # the memberships of one person
  global_secondary_index {
    name            = "GSI2"
    hash_key        = "idpid"
    range_key       = "agencyId"
    projection_type = "ALL"
  }
}
