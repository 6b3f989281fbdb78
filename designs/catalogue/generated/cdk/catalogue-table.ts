// Generated from design.yaml by `keyfold generate cdk`. Do not edit: change the design and generate again.
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

export interface CatalogueTableProps {
  /** The name of the table; fus-main if left out. */
  readonly dynamoTableName?: string;
}

/** A catalogue of sites with tags, ratings and comments, custom groups, user profiles, and a squash section for one of the groups. */
export class CatalogueTable extends Construct {
  readonly table: dynamodb.Table;

  constructor(scope: Construct, id: string, props: CatalogueTableProps = {}) {
    super(scope, id);
    this.table = new dynamodb.Table(this, 'FusMainTable', {
      tableName: props.dynamoTableName ?? 'fus-main',
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'PK', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'SK', type: dynamodb.AttributeType.STRING },
    });

    // byEntity: all sites, groups, squash players and matches
    this.table.addGlobalSecondaryIndex({
      indexName: 'byEntity',
      partitionKey: { name: 'entityType', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'entitySk', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });

    // byTag: sites by tag
    this.table.addGlobalSecondaryIndex({
      indexName: 'byTag',
      partitionKey: { name: 'tag', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'siteId', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });

    // byStars: ratings by value
    this.table.addGlobalSecondaryIndex({
      indexName: 'byStars',
      partitionKey: { name: 'starRating', type: dynamodb.AttributeType.NUMBER },
      sortKey: { name: 'siteId', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });

    // byGroup: users in a custom group
    this.table.addGlobalSecondaryIndex({
      indexName: 'byGroup',
      partitionKey: { name: 'groupName', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'userId', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });

    // bySquashDate: squash matches by date
    this.table.addGlobalSecondaryIndex({
      indexName: 'bySquashDate',
      partitionKey: { name: 'squashDate', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'matchId', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });
  }
}
