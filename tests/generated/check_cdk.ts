// Synthesizes the CDK construct of every design and compares its table and outputs with the CloudFormation template's.
// Arguments: the folder with the templates as JSON.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { Construct } from 'constructs';
import { AgenciesTable } from './agencies/cdk/agencies-table.js';
import { AlbumsTable } from './albums/cdk/albums-table.js';
import { ArchiveTable } from './archive/cdk/archive-table.js';
import { AwkwardTable } from './awkward/cdk/awkward-table.js';
import { CatalogueTable } from './catalogue/cdk/catalogue-table.js';
import { EveryOptionTable } from './every-option/cdk/every-option-table.js';
import { PlatformTable } from './platform/cdk/platform-table.js';
import { VisitsTable } from './visits/cdk/visits-table.js';

type Properties = Record<string, unknown>;

interface Resource {
  Type: string;
  Properties: Properties;
}

interface Rendered {
  Parameters?: Record<string, { Default: string }>;
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Description: string }>;
}

const folder = process.argv[2] ?? '.';

const constructs: Record<string, new (scope: Construct, id: string) => Construct> = {
  agencies: AgenciesTable,
  albums: AlbumsTable,
  archive: ArchiveTable,
  awkward: AwkwardTable,
  catalogue: CatalogueTable,
  'every-option': EveryOptionTable,
  platform: PlatformTable,
  visits: VisitsTable,
};

function tableOf(template: Rendered): Properties {
  const tables = Object.values(template.Resources).filter((found) => found.Type === 'AWS::DynamoDB::Table');
  assert.equal(tables.length, 1);
  return tables[0]!.Properties;
}

/** Attribute definitions, tags and included attributes are sets: their order means nothing. */
function ordered(properties: Properties): Properties {
  const copy = structuredClone(properties);
  for (const name of ['AttributeDefinitions', 'Tags']) {
    const list = copy[name];
    if (Array.isArray(list)) list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  // On demand is said without numbers in a template, and so is provisioned throughput without its mode in the CDK.
  if (copy['BillingMode'] === 'PROVISIONED') delete copy['BillingMode'];
  return copy;
}

for (const [design, Table] of Object.entries(constructs)) {
  const stack = new Stack(new App(), 'Stack');
  new Table(stack, 'Design');
  const synthesized = Template.fromStack(stack).toJSON() as Rendered;
  const template = JSON.parse(readFileSync(`${folder}/${design}.json`, 'utf8')) as Rendered;
  const wanted = tableOf(template);
  const name = wanted['TableName'];
  if (typeof name === 'object' && name !== null && 'Ref' in name) {
    wanted['TableName'] = template.Parameters?.[String(name.Ref)]?.Default;
  }
  assert.deepEqual(ordered(tableOf(synthesized)), ordered(wanted), design);
  const descriptions = (found: Rendered) => Object.values(found.Outputs ?? {}).map((output) => output.Description).sort();
  assert.deepEqual(descriptions(synthesized), descriptions(template), design);
  console.log(`${design}: the CDK synthesizes the table of the CloudFormation template`);
}
