// The platform design as ElectroDB entities over the one table, with the seed's key strings.
import { Entity, Service } from 'electrodb';

// ElectroDB folds keys to lower case unless told otherwise; the seed's are upper case.
const casing = 'none';
const index = (name, pk, sk, extra = {}) => ({
  ...(name ? { index: name } : {}),
  pk: { field: name ? `${name}PK` : 'PK', casing, ...pk },
  sk: { field: name ? `${name}SK` : 'SK', casing, ...sk },
  ...extra,
});
const fixed = (template) => ({ composite: [], template });
const from = (attribute, template) => ({ composite: [attribute], template });

export function platformService(client, table) {
  const configuration = { client, table };
  const model = (entity, attributes, indexes) =>
    new Entity({ model: { entity, version: '1', service: 'platform' }, attributes, indexes }, configuration);

  const accounts = model(
    'account',
    {
      accountId: { type: 'string', required: true },
      name: { type: 'string', required: true },
      employees: { type: 'number', default: 0 },
      active: { type: 'boolean', default: true },
      settings: {
        type: 'map',
        properties: { locale: { type: 'string' }, features: { type: 'list', items: { type: 'string' } } },
      },
      labels: { type: 'set', items: 'string' },
    },
    {
      account: index(null, from('accountId', 'ACCOUNT#${accountId}'), fixed('METADATA')),
      all: index('GSI1', fixed('ENTITY#ACCOUNT'), from('accountId', 'ACCOUNT#${accountId}')),
    },
  );

  const licenses = model(
    'license',
    {
      accountId: { type: 'string', required: true },
      licenseId: { type: 'string', required: true },
      enterpriseId: { type: 'string', required: true },
      status: { type: ['active', 'expired'], required: true },
      endDate: { type: 'string', required: true },
      seats: { type: 'number', default: 1 },
      note: { type: 'string' },
    },
    {
      license: index(null, from('accountId', 'ACCOUNT#${accountId}'), from('licenseId', 'LICENSE#${licenseId}')),
      all: index('GSI1', fixed('ENTITY#LICENSE'), from('licenseId', 'LICENSE#${licenseId}')),
      byEnterprise: index(
        'GSI2',
        from('enterpriseId', 'ENTERPRISE#${enterpriseId}'),
        from('licenseId', 'LICENSE#${licenseId}'),
        { collection: 'enterprise', type: 'clustered' },
      ),
      byStatus: index('GSI3', from('status', 'LICENSE#STATUS#${status}'), {
        composite: ['endDate', 'licenseId'],
        template: '${endDate}#${licenseId}',
      }),
    },
  );

  const workstreams = model(
    'workstream',
    {
      accountId: { type: 'string', required: true },
      workstreamId: { type: 'string', required: true },
      enterpriseId: { type: 'string', required: true },
      name: { type: 'string' },
    },
    {
      workstream: index(
        null,
        from('accountId', 'ACCOUNT#${accountId}'),
        from('workstreamId', 'WORKSTREAM#${workstreamId}'),
      ),
      all: index('GSI1', fixed('ENTITY#WORKSTREAM'), from('workstreamId', 'WORKSTREAM#${workstreamId}')),
      byEnterprise: index(
        'GSI2',
        from('enterpriseId', 'ENTERPRISE#${enterpriseId}'),
        from('workstreamId', 'WORKSTREAM#${workstreamId}'),
        { collection: 'enterprise', type: 'clustered' },
      ),
    },
  );

  const users = model(
    'user',
    {
      userId: { type: 'string', required: true },
      accountId: { type: 'string', required: true },
      name: { type: 'string', required: true },
      status: { type: ['active', 'inactive'], default: 'active' },
      endDate: { type: 'string', default: '9999-12-31' },
      logins: { type: 'number', default: 0 },
      createdAt: { type: 'number', readOnly: true, set: (value) => value ?? 1_700_000_000 },
    },
    {
      user: index(null, from('userId', 'USER#${userId}'), fixed('METADATA')),
      all: index('GSI1', fixed('ENTITY#USER'), from('userId', 'USER#${userId}')),
      byAccount: index('GSI2', from('accountId', 'ACCOUNT#${accountId}#USERS'), from('userId', 'USER#${userId}')),
      byStatus: index('GSI3', from('status', 'USER#STATUS#${status}'), {
        composite: ['endDate', 'userId'],
        template: '${endDate}#${userId}',
      }),
    },
  );

  return new Service({ accounts, licenses, workstreams, users });
}
