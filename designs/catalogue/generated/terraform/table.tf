# Generated from design.yaml by `keyfold generate terraform`. Do not edit: change the design and generate again.

variable "dynamoTableName" {
  description = "The name of the table"
  type        = string
  default     = "fus-main"
}

# A catalogue of sites with tags, ratings and comments, custom groups, user profiles, and a squash section for one of the groups.
resource "aws_dynamodb_table" "catalogue" {
  name         = var.dynamoTableName
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
    name = "entityType"
    type = "S"
  }

  attribute {
    name = "entitySk"
    type = "S"
  }

  attribute {
    name = "tag"
    type = "S"
  }

  attribute {
    name = "siteId"
    type = "S"
  }

  attribute {
    name = "starRating"
    type = "N"
  }

  attribute {
    name = "groupName"
    type = "S"
  }

  attribute {
    name = "userId"
    type = "S"
  }

  attribute {
    name = "squashDate"
    type = "S"
  }

  attribute {
    name = "matchId"
    type = "S"
  }

  # all sites, groups, squash players and matches
  global_secondary_index {
    name            = "byEntity"
    hash_key        = "entityType"
    range_key       = "entitySk"
    projection_type = "ALL"
  }

  # sites by tag
  global_secondary_index {
    name            = "byTag"
    hash_key        = "tag"
    range_key       = "siteId"
    projection_type = "ALL"
  }

  # ratings by value
  global_secondary_index {
    name            = "byStars"
    hash_key        = "starRating"
    range_key       = "siteId"
    projection_type = "ALL"
  }

  # users in a custom group
  global_secondary_index {
    name            = "byGroup"
    hash_key        = "groupName"
    range_key       = "userId"
    projection_type = "ALL"
  }

  # squash matches by date
  global_secondary_index {
    name            = "bySquashDate"
    hash_key        = "squashDate"
    range_key       = "matchId"
    projection_type = "ALL"
  }
}
