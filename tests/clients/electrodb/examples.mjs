// The task manager and the version control service of ElectroDB's examples: their indexes, with plain attributes.
import { Entity, Service } from 'electrodb';

const text = (...names) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));

// `[pk, sk, collection]`, by the number of the index; 0 is the table.
const indexes = (byNumber) =>
  Object.fromEntries(
    Object.entries(byNumber).map(([number, [pk, sk, collection]]) => {
      const name = number === '0' ? '' : `gsi${number}`;
      return [
        `index${number}`,
        {
          ...(name && { index: `${name}pk-${name}sk-index` }),
          ...(collection && { collection }),
          pk: { field: `${name}pk`, composite: pk },
          sk: { field: `${name}sk`, composite: sk },
        },
      ];
    }),
  );

const entities = (service, configuration, models) =>
  new Service(
    Object.fromEntries(
      Object.entries(models).map(([entity, [attributes, byNumber]]) => [
        entity,
        new Entity({ model: { entity, version: '1', service }, attributes, indexes: indexes(byNumber) }, configuration),
      ]),
    ),
  );

export function taskManager(configuration) {
  return entities('task-manager', configuration, {
    employee: [
      text('employee', 'firstName', 'lastName', 'officeName', 'title', 'team', 'salary', 'manager', 'dateHired', 'birthday'),
      {
        0: [['employee'], []],
        1: [['officeName'], ['team', 'title', 'employee'], 'workplaces'],
        2: [['team'], ['dateHired', 'title']],
        3: [['employee'], [], 'assignments'],
        4: [['title'], ['salary']],
        5: [['manager'], ['team', 'officeName']],
      },
    ],
    Office: [
      text('officeName', 'country', 'state', 'city', 'zip', 'address'),
      { 0: [['country', 'state'], ['city', 'zip', 'officeName']], 1: [['officeName'], [], 'workplaces'] },
    ],
    task: [
      { ...text('taskName', 'project', 'employee', 'description', 'status'), points: { type: 'number' }, comments: { type: 'any' } },
      {
        0: [['taskName'], ['project', 'employee']],
        1: [['project'], ['employee', 'status']],
        3: [['employee'], ['project', 'status'], 'assignments'],
        4: [['status'], ['project', 'employee']],
      },
    ],
  });
}

export function versionControl(configuration) {
  const repository = ['repoOwner', 'repoName'];
  const stamps = ['createdAt', 'updatedAt'];
  const ticket = (number, collection) => [
    { ...text(...repository, number, 'ticketNumber', 'ticketType', 'username', 'status', 'subject', 'body', ...stamps) },
    {
      0: [[...repository, number], [], collection],
      1: [['username'], ['status', 'createdAt'], ['owned', 'managed']],
      2: [repository, ['status', 'createdAt'], 'activity'],
      4: [[...repository, 'ticketNumber'], [], 'subscribers'],
    },
  ];
  const comment = (number, collection, conversation) => [
    text(...repository, number, 'commentId', 'username', 'replyTo', 'replyViewed', 'body', ...stamps),
    {
      0: [[...repository, number], ['commentId'], collection],
      1: [['username'], conversation, 'conversations'],
      2: [['replyTo'], ['updatedAt', 'replyViewed'], 'inbox'],
    },
  ];
  return entities('version-control', configuration, {
    user: [
      text('username', 'fullName', 'createdAt'),
      { 0: [['username'], [], 'overview'], 1: [['username'], [], 'owned'], 3: [['username'], [], 'watching'] },
    ],
    Repository: [
      {
        ...text(...repository, 'username', 'about', 'defaultBranch', 'createdAt'),
        isPrivate: { type: 'boolean' },
        topics: { type: 'set', items: 'string' },
      },
      { 0: [['repoOwner'], ['repoName'], 'alerts'], 1: [['username'], ['isPrivate', 'createdAt'], 'owned'] },
    ],
    issue: ticket('issueNumber', 'issueReview'),
    'issue-comment': comment('issueNumber', 'issueReview', [...repository, 'issueNumber']),
    'pull-request': ticket('pullRequestNumber', 'PRReview'),
    'pull-request-comment': comment('pullRequestNumber', 'PRReview', repository),
    subscription: [
      text(...repository, 'username', 'ticketType', 'ticketNumber', ...stamps),
      {
        0: [repository, ['username', 'ticketType', 'ticketNumber']],
        3: [['username'], ['ticketType', 'ticketNumber'], 'watching'],
        4: [[...repository, 'ticketNumber'], ['ticketType', 'username'], 'subscribers'],
      },
    ],
  });
}
