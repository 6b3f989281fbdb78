# Generated from design.yaml by `keyfold generate terraform`. Do not edit: change the design and generate again.

# Collections of posts and their records, with categories, households and places.
resource "aws_dynamodb_table" "archive" {
  name         = "archive"
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
    name = "GSISK"
    type = "S"
  }

  # every kind of item in an order of its own
  global_secondary_index {
    name            = "GSI"
    hash_key        = "SK"
    range_key       = "GSISK"
    projection_type = "ALL"
  }
}
