# Generated from design.yaml by `keyfold generate terraform`. Do not edit: change the design and generate again.

# Albums in trees, images in albums, people in tenants.
resource "aws_dynamodb_table" "albums" {
  name         = "albums"
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
    type = "S"
  }

  attribute {
    name = "GSI2PK"
    type = "S"
  }

  attribute {
    name = "GSI2SK"
    type = "S"
  }

  # hierarchical relationships: the partition is the parent's key, the sort key is the child's
  global_secondary_index {
    name            = "GSI1"
    hash_key        = "GSI1PK"
    range_key       = "GSI1SK"
    projection_type = "ALL"
  }

  # shared lookup index for identities and memberships: the partition is LOOKUP#<scope>#…, the sort key is the target's
  global_secondary_index {
    name            = "GSI2"
    hash_key        = "GSI2PK"
    range_key       = "GSI2SK"
    projection_type = "ALL"
  }
}
