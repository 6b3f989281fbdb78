// Generated from design.yaml by `keyfold generate cdk`. Do not edit: change the design and generate again.
import { CfnOutput, Tags } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

export interface EveryOptionTableProps {
  /** The name of the table; every_option if left out. */
  readonly tableName?: string;
}

/** A table that states every option, for the tools that generated files are handed to. */
export class EveryOptionTable extends Construct {
  readonly table: dynamodb.Table;

  constructor(scope: Construct, id: string, props: EveryOptionTableProps = {}) {
    super(scope, id);
    this.table = new dynamodb.Table(this, 'EveryOptionTable', {
      tableName: props.tableName ?? 'every_option',
      billingMode: dynamodb.BillingMode.PROVISIONED,
      readCapacity: 5,
      writeCapacity: 3,
      partitionKey: { name: 'PK', type: dynamodb.AttributeType.STRING },
      sortKey: { name: 'SK', type: dynamodb.AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      stream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      encryption: dynamodb.TableEncryption.AWS_MANAGED,
    });

    // byValue: notes by value: "quoted", and more
    this.table.addGlobalSecondaryIndex({
      indexName: 'byValue',
      partitionKey: { name: 'value', type: dynamodb.AttributeType.NUMBER },
      sortKey: { name: 'noteId', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.INCLUDE,
      nonKeyAttributes: ['title'],
      readCapacity: 5,
      writeCapacity: 3,
    });

    // byDay: a key of several attributes
    this.table.addGlobalSecondaryIndex({
      indexName: 'byDay',
      partitionKeys: [{ name: 'tenantId', type: dynamodb.AttributeType.STRING }, { name: 'day', type: dynamodb.AttributeType.STRING }],
      sortKeys: [{ name: 'hour', type: dynamodb.AttributeType.STRING }, { name: 'noteId', type: dynamodb.AttributeType.STRING }],
      projectionType: dynamodb.ProjectionType.ALL,
      readCapacity: 5,
      writeCapacity: 3,
    });

    // byTitle: a tenant's notes by title
    this.table.addLocalSecondaryIndex({
      indexName: 'byTitle',
      sortKey: { name: 'title', type: dynamodb.AttributeType.STRING },
      projectionType: dynamodb.ProjectionType.ALL,
    });

    Tags.of(this.table).add('cost:centre', '42');
    Tags.of(this.table).add('Environment', 'yes');

    new CfnOutput(this, 'TableName', { description: 'The table\'s name', value: this.table.tableName });
    new CfnOutput(this, 'TableArn', { description: 'The table\'s ARN', value: this.table.tableArn });
    new CfnOutput(this, 'TableStreamArn', { description: 'The stream\'s ARN', value: this.table.tableStreamArn ?? '' });
  }
}
