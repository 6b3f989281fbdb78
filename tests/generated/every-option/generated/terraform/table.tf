# Generated from design.yaml by `keyfold generate terraform`. Do not edit: change the design and generate again.

variable "tableName" {
  description = "The name of the table"
  type        = string
  default     = "every_option"
}

# A table that states every option, for the tools that generated files are handed to.
resource "aws_dynamodb_table" "every_option" {
  name                        = var.tableName
  billing_mode                = "PROVISIONED"
  read_capacity               = 5
  write_capacity              = 3
  hash_key                    = "PK"
  range_key                   = "SK"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"
  deletion_protection_enabled = true

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "value"
    type = "N"
  }

  attribute {
    name = "noteId"
    type = "S"
  }

  attribute {
    name = "tenantId"
    type = "S"
  }

  attribute {
    name = "day"
    type = "S"
  }

  attribute {
    name = "hour"
    type = "S"
  }

  attribute {
    name = "title"
    type = "S"
  }

  # notes by value: "quoted", and more
  global_secondary_index {
    name               = "byValue"
    hash_key           = "value"
    range_key          = "noteId"
    projection_type    = "INCLUDE"
    non_key_attributes = ["title"]
    read_capacity      = 5
    write_capacity     = 3
  }

  # a key of several attributes
  global_secondary_index {
    name            = "byDay"
    projection_type = "ALL"
    read_capacity   = 5
    write_capacity  = 3

    key_schema {
      attribute_name = "tenantId"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "day"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "hour"
      key_type       = "RANGE"
    }

    key_schema {
      attribute_name = "noteId"
      key_type       = "RANGE"
    }
  }

  # a tenant's notes by title
  local_secondary_index {
    name            = "byTitle"
    range_key       = "title"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }

  tags = {
    "cost:centre" = "42"
    Environment   = "yes"
  }
}

output "table_name" {
  description = "The table's name"
  value       = aws_dynamodb_table.every_option.name
}

output "table_arn" {
  description = "The table's ARN"
  value       = aws_dynamodb_table.every_option.arn
}

output "table_stream_arn" {
  description = "The stream's ARN"
  value       = aws_dynamodb_table.every_option.stream_arn
}
