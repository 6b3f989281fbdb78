// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
// Executes access patterns according to their access plans in patterns.ts.
//
// A client returns integers beyond 2^53 as `bigint` and rounds decimals of more than about 16 digits. Where a table has such
// numbers, create it with `DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } })`: numbers that a
// `number` cannot hold are then `NumberValue`s with all their digits, also in cursors, and the others are `number`s.
import { BatchGetCommand, GetCommand, NumberValue, QueryCommand, type DynamoDBDocumentClient, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { lookups, readAhead, shapes, tableKeys } from './shapes.js';
import {
  ArgumentError,
  compareNumbers,
  isAnyNumber,
  isBeingDeleted,
  isSame,
  itemSize,
  KeyError,
  lacksKind,
  numberText,
  read,
  recognize,
  type Item,
  type ItemProblem,
  type Shape,
} from './support.js';

/** A value of a key as plain data: binary in base64, and a number that JSON cannot hold as text. */
export type CursorValue = string | number | { readonly B: string } | { readonly N: string };

export type CursorKey = Readonly<Record<string, CursorValue>>;

/** How far one of the partitions of a pattern was read. */
export type CursorPosition = CursorKey | 'start' | 'end';

/** Where a page ended: a key, or how far each partition was read. Plain data that clients send back unchanged. */
export type Cursor = CursorKey | readonly CursorPosition[];

type Position = Item | 'start' | 'end';

export interface PageOptions {
  /**
   * The maximum number of results; defaults to the page size of the pattern. A page also ends with the result that makes
   * its results 1 MiB large.
   */
  take?: number;
  /** The cursor of the previous page. */
  cursor?: Cursor;
  /** Overrides the name of the table. */
  tableName?: string;
  /** Reads consistently. Indexes do not support this. */
  consistent?: boolean;
}

/** The options of patterns whose key range holds items of several tenants. */
export interface TenantOptions {
  /** Returns only the items of this tenant. */
  tenant?: string;
}

export interface Page<T> {
  items: T[];
  /** The items of the range that are left out because they match no entity of the design. */
  problems: ItemProblem[];
  /** The cursor of the next page; absent on the last page. */
  cursor?: Cursor;
}

/** The options of a pattern that counts. */
export type CountOptions = Pick<PageOptions, 'tableName' | 'consistent'>;

/** A condition that the items of one tenant satisfy, of one entity or several. */
interface TenantCondition {
  readonly attribute: string;
  /** The value of the attribute; a `KeyError` where no key can hold the tenant, which then has no such items. */
  readonly value: (tenant: string) => string;
  /** Whether items without the attribute satisfy it as well. */
  readonly orAbsent?: boolean;
}

/** The filter with which the table leaves out the items of other tenants. */
interface TenantFilter {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

/** The access plan of a pattern with the arguments of a call. */
export interface Access {
  /** The query of each partition. */
  readonly inputs: readonly QueryCommandInput[];
  /** The names of the values between which sort keys lie, the lower bound first. */
  readonly between?: readonly [low: string, high: string];
  /** How partitions become one page. */
  readonly reading: 'one' | 'in turn' | 'merged';
  /** What merged partitions are ordered by. */
  readonly sortKey?: readonly string[];
  /** The attributes of a cursor. */
  readonly cursorKeys: readonly string[];
  /** Whether the range also holds items that are not results. */
  readonly dropsItems?: boolean;
  /** The maximum number of results of a page, unless a call states another. */
  readonly pageSize: number;
  /** The size in bytes, as DynamoDB counts items, at which a page ends; absent if results are only counted. */
  readonly pageBytes?: number;
  /** How to tell the tenants of items apart, if the range holds several. */
  readonly tenant?: { readonly attribute: string; readonly conditions?: readonly TenantCondition[] };
  readonly results: readonly Result<unknown>[];
}

/** An entity that a pattern returns. */
export interface Result<T> {
  readonly shape: Shape<T>;
  readonly scope: 'tenant' | 'global' | 'tenant or global';
  /** The query returns whole items, a part of them (of items whose key may change, or not), or lookups that lead to them. */
  readonly source: 'query' | 'table' | Row<T> | Lookup<T> | Reference<T>;
}

/** How an item is searched in its partition, where its identity does not give its sort key. */
interface PartitionSearch<T> {
  readonly partition: { readonly attribute: string; value(known: Required<T>): unknown };
  /** The text with which the sort keys of all items of the entity begin. */
  readonly sortPrefix?: { readonly attribute: string; readonly prefix: string };
  /** The attributes in which the item equals what is searched for. */
  readonly identity: readonly string[];
  /** How often it is searched: the item may move during a search. */
  readonly attempts: number;
}

/** From a row of an index to the item, which is read by the table's key in the row. */
interface Row<T> {
  /** How an item is found that is no longer at that key. */
  readonly moved: PartitionSearch<T>;
}

/** From a lookup to the entity's item. */
interface Lookup<T> {
  readonly lookup: Shape<Item>;
  /** How the item is read by its identity. */
  readonly read: { key(known: Required<T>): Item } | { readonly search: PartitionSearch<T> };
  /** The key of the item's own lookup; undefined if it has none. */
  lookupKey(item: T): Item | undefined;
}

/** From an item of the range to the one that it refers to, or is derived from. */
interface Reference<T> {
  readonly from: Shape<unknown>;
  /** The identity of what an item of the range refers to; values are undefined if it refers to nothing. */
  known(item: Item): Item;
  /** How the item is read by its identity. */
  readonly read: { key(known: Required<T>): Item } | { readonly search: PartitionSearch<T> };
}

/** A result that the items of the range refer to. */
export function referred<T, F>({
  shape,
  scope,
  from,
  known,
  read: further,
}: Omit<Result<T>, 'source'> & { from: Shape<F>; known(item: F): Item; read: Reference<T>['read'] }): Result<T> {
  return { shape, scope, source: { from, known: (item) => known(item as F), read: further } };
}

/** A result that is read again from the table, where its key may have changed. */
export function again<T>({ shape, scope, ...source }: Omit<Result<T>, 'source'> & Row<T>): Result<T> {
  return { shape, scope, source };
}

/** A result that is found through a lookup. */
export function through<T>({ shape, scope, ...source }: Omit<Result<T>, 'source'> & Lookup<T>): Result<T> {
  return { shape, scope, source };
}

interface Query {
  readonly client: DynamoDBDocumentClient;
  readonly options: PageOptions & TenantOptions;
  readonly access: Access;
  /** The room on an empty page. */
  readonly room: Room;
  readonly tenantFilter?: TenantFilter;
  /** What the items read so far refer to, by key. */
  readonly referenced: Map<string, Item>;
}

/** One page of a pattern. */
export async function page<T>(client: DynamoDBDocumentClient, options: PageOptions & TenantOptions, access: Access): Promise<Page<T>> {
  const room: Room = { results: Math.max(1, options.take ?? access.pageSize), bytes: access.pageBytes ?? Infinity };
  return (await readPage({ client, options, access, room, referenced: new Map() })) as Page<T>;
}

/** The number of all results of a pattern, whatever its page size. */
export async function count(client: DynamoDBDocumentClient, options: CountOptions & TenantOptions, access: Access): Promise<number> {
  const room: Room = { results: Infinity, bytes: Infinity };
  return (await readPage({ client, options, access, room, referenced: new Map() })).items.length;
}

async function readPage(query: Query): Promise<Page<unknown>> {
  const { options, access } = query;
  if (isReversed(access)) return { items: [], problems: [] };
  const readParts = access.reading === 'merged' ? readMerged : readInTurn;
  if (options.tenant === undefined || access.tenant?.conditions === undefined) return readParts(query);
  const tenantFilter = filterOf(access.tenant.conditions, options.tenant);
  return tenantFilter === undefined ? { items: [], problems: [] } : readParts({ ...query, tenantFilter });
}

/** Whether the lower bound of the sort keys is above the upper one: DynamoDB rejects such a range, and it holds nothing. */
function isReversed({ inputs: [input], between }: Access): boolean {
  const bounds = input?.ExpressionAttributeValues;
  return bounds !== undefined && between !== undefined && order(bounds[between[0]], bounds[between[1]]) > 0;
}

function tableOf({ options, access }: Query): string | undefined {
  return options.tableName ?? access.inputs[0]?.TableName;
}

function isOfSeveral(cursor: Cursor): cursor is readonly CursorPosition[] {
  return Array.isArray(cursor);
}

/** The query of a partition with the options of the call. */
function request({ options, tenantFilter: own }: Query, input: QueryCommandInput, start: Item | 'start', limit: number | undefined): QueryCommandInput {
  const wanted: QueryCommandInput = { ...input };
  if (options.tableName !== undefined) wanted.TableName = options.tableName;
  if (options.consistent === true) wanted.ConsistentRead = true;
  if (limit !== undefined) wanted.Limit = limit;
  if (start !== 'start') wanted.ExclusiveStartKey = start;
  if (own !== undefined) {
    const { FilterExpression: filter } = input;
    wanted.FilterExpression = filter === undefined ? own.expression : `(${own.expression}) AND (${filter})`;
    wanted.ExpressionAttributeNames = { ...input.ExpressionAttributeNames, ...own.names };
    wanted.ExpressionAttributeValues = { ...input.ExpressionAttributeValues, ...own.values };
  }
  return wanted;
}

/** The filter for a tenant; undefined if none of the conditions can hold it, so that it has no items. */
function filterOf(conditions: readonly TenantCondition[], tenant: string): TenantFilter | undefined {
  const expressions: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, string> = {};
  for (const [at, { attribute, value, orAbsent }] of conditions.entries()) {
    const wanted = ifPossible(() => value(tenant));
    if (wanted === undefined) continue;
    names[`#t${at}`] = attribute;
    values[`:t${at}`] = wanted;
    expressions.push(orAbsent === true ? `attribute_not_exists(#t${at}) OR #t${at} = :t${at}` : `#t${at} = :t${at}`);
  }
  return expressions.length === 0 ? undefined : { expression: expressions.join(' OR '), names, values };
}

/** Undefined for what a key cannot hold. */
function ifPossible<T>(key: () => T): T | undefined {
  try {
    return key();
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

/** A result or a problem, and the item of the key range that it was found through. */
interface Found {
  readonly value?: unknown;
  readonly problem?: ItemProblem;
  readonly item: Item;
  /** The size of the result in bytes, as DynamoDB counts items. */
  readonly size: number;
}

/** The room that is left on a page, in results and in bytes. */
interface Room {
  readonly results: number;
  readonly bytes: number;
}

function roomAfter(room: Room, { size, problem }: Found): Room {
  return { results: problem === undefined ? room.results - 1 : room.results, bytes: room.bytes - size };
}

function isFull({ results, bytes }: Room): boolean {
  return results <= 0 || bytes <= 0;
}

function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]]));
}

/** How many items to read for a number of results: more than that number if items are dropped, to save requests. */
function toExamine({ access, options }: Query, missing: number): number {
  const drops = access.dropsItems === true || (options.tenant !== undefined && access.tenant !== undefined);
  return drops ? Math.min(Math.max(readAhead.factor * missing, readAhead.least), readAhead.most) : missing;
}

/** Reads a partition until there is no more room. */
async function readPartition(
  query: Query,
  input: QueryCommandInput,
  start: Item | 'start',
  available: Room,
): Promise<{ found: Found[]; position: Position }> {
  const found: Found[] = [];
  let room = available;
  let position = start;
  for (;;) {
    const examined = room.results === Infinity ? undefined : toExamine(query, room.results);
    const output = await query.client.send(new QueryCommand(request(query, input, position, examined)));
    const items = output.Items ?? [];
    await readReferenced(query, items);
    for (const [at, item] of items.entries()) {
      const result = await resultOf(query, item);
      if (result === undefined) continue;
      found.push(result);
      room = roomAfter(room, result);
      if (isFull(room)) {
        const isLast = at + 1 === items.length && output.LastEvaluatedKey === undefined;
        return { found, position: isLast ? 'end' : pick(item, query.access.cursorKeys) };
      }
    }
    if (output.LastEvaluatedKey === undefined) return { found, position: 'end' };
    position = output.LastEvaluatedKey;
  }
}

/** What an item of the key range stands for; undefined if it has another entity or tenant, or is being deleted. */
async function resultOf(query: Query, item: Item): Promise<Found | undefined> {
  const { results } = query.access;
  // The index may lack what tells entities with the same keys apart: the stored item has it.
  const whole = lacksKind(shapes, item) ? await getStored(query, pick(item, tableKeys)) : item;
  if (whole === undefined) return undefined;
  const entity = recognize(shapes, whole)?.entity;
  const lookup = entity === undefined ? lookups.find((shape) => read(shape, item) !== undefined) : undefined;
  if (entity === undefined && lookup === undefined) {
    // It tells no tenant: callers of one tenant do not learn of it unless the range is theirs.
    if (query.options.tenant !== undefined && query.access.tenant !== undefined) return undefined;
    const expected = results.map((result) => result.shape.entity).join(' or ');
    const problem = { key: pick(item, tableKeys), expected, detail: 'its key matches no entity of the design' };
    // As many bytes as it takes to report it, so that a page of them ends as well.
    return { problem, item, size: itemSize(problem) };
  }
  const result = results.find(({ shape, source }) => {
    if (typeof source === 'object' && 'lookup' in source) return source.lookup === lookup;
    return (typeof source === 'object' && 'from' in source ? source.from.entity : shape.entity) === entity;
  });
  if (result === undefined) return undefined;
  const stored = await storedItem(query, result, item);
  if (stored === undefined || isBeingDeleted(stored)) return undefined;
  const value = read(result.shape, stored);
  if (value === undefined || !isVisible(query, result, value as Item)) return undefined;
  const size = itemSize(value as Item);
  return { value: results.length === 1 ? value : { entity: result.shape.entity, item: value }, item, size };
}

/** Whether an item belongs to the tenant or to all tenants. */
function isVisible({ options, access }: Query, { scope }: Result<unknown>, value: Item): boolean {
  if (options.tenant === undefined || access.tenant === undefined || scope === 'global') return true;
  const owner = value[access.tenant.attribute];
  return owner === undefined ? scope === 'tenant or global' : owner === options.tenant;
}

/** The item of a result, whole. */
async function storedItem<T>(query: Query, { shape, source }: Result<T>, item: Item): Promise<Item | undefined> {
  if (source === 'query') return item;
  if (source !== 'table' && 'lookup' in source) return behindLookup(query, shape, source, item);
  if (source !== 'table' && 'from' in source) return behindReference(query, shape, source, item);
  const stored = await getStored(query, pick(item, tableKeys));
  if (stored !== undefined || source === 'table') return stored;
  return search(query, shape, source.moved, { ...item, ...read(shape, item) });
}

async function getStored(query: Query, key: Item): Promise<Item | undefined> {
  const output = await query.client.send(new GetCommand({ TableName: tableOf(query), Key: key, ConsistentRead: true }));
  return output.Item;
}

/** The identity that an item refers to; undefined if it refers to nothing. */
function referencedIdentity<T>({ from, known }: Reference<T>, item: Item): Item | undefined {
  const value = read(from, item);
  const identity = value === undefined ? undefined : known(value as Item);
  return identity === undefined || Object.values(identity).includes(undefined) ? undefined : identity;
}

async function behindReference<T>(query: Query, shape: Shape<T>, source: Reference<T>, item: Item): Promise<Item | undefined> {
  const identity = referencedIdentity(source, item);
  const { read: further } = source;
  if (identity === undefined) return undefined;
  if (!('key' in further)) return search(query, shape, further.search, identity);
  const key = ifPossible(() => further.key(identity as Required<T>));
  return key === undefined ? undefined : query.referenced.get(textOf(key));
}

/** A key as the key of a map. */
function textOf(key: Item): string {
  return JSON.stringify(tableKeys.map((name) => Object.values(encoded(pick(key, [name])))));
}

/** Reads what the items of a response refer to, as many together as a request may name. */
async function readReferenced(query: Query, items: readonly Item[]): Promise<void> {
  const keys = new Map<string, Item>();
  for (const { source } of query.access.results) {
    if (typeof source !== 'object' || !('from' in source)) continue;
    const { read: further } = source;
    if (!('key' in further)) continue;
    for (const item of items) {
      const identity = referencedIdentity(source, item);
      const key = identity === undefined ? undefined : ifPossible(() => further.key(identity as Required<unknown>));
      if (key !== undefined && !query.referenced.has(textOf(key))) keys.set(textOf(key), key);
    }
  }
  const table = tableOf(query);
  const wanted = [...keys.values()];
  while (table !== undefined && wanted.length > 0) {
    const request = { [table]: { Keys: wanted.splice(0, 100), ConsistentRead: true } };
    const output = await query.client.send(new BatchGetCommand({ RequestItems: request }));
    for (const item of output.Responses?.[table] ?? []) query.referenced.set(textOf(pick(item, tableKeys)), item);
    wanted.push(...(output.UnprocessedKeys?.[table]?.Keys ?? []));
  }
}

/** The item that a lookup refers to, if the lookup is still current: an index may lag behind the table. */
async function behindLookup<T>(query: Query, shape: Shape<T>, source: Lookup<T>, item: Item): Promise<Item | undefined> {
  const known = { ...item, ...read(source.lookup, item) };
  const stored =
    'key' in source.read
      ? await getStored(query, source.read.key(known as Required<T>))
      : await search(query, shape, source.read.search, known);
  const value = stored === undefined ? undefined : read(shape, stored);
  if (value === undefined) return undefined;
  const own = source.lookupKey(value);
  return own === undefined || Object.entries(own).every(([name, part]) => isSame(item[name], part)) ? stored : undefined;
}

/** The item with the identity of what is known, if its partition holds it; undefined if the identity is not known. */
async function search<T>(query: Query, shape: Shape<T>, wanted: PartitionSearch<T>, known: Item): Promise<Item | undefined> {
  if (wanted.identity.some((name) => known[name] === undefined)) return undefined;
  for (let attempt = 0; attempt < wanted.attempts; attempt += 1) {
    const found = await searchOnce(query, shape, wanted, known);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function searchOnce<T>(query: Query, shape: Shape<T>, wanted: PartitionSearch<T>, known: Item): Promise<Item | undefined> {
  const { partition, sortPrefix: sort, identity } = wanted;
  const value = partition.value(known as Required<T>);
  let start: Item | undefined;
  do {
    const output = await query.client.send(
      new QueryCommand({
        TableName: tableOf(query),
        ConsistentRead: true,
        KeyConditionExpression: sort === undefined ? '#p = :p' : '#p = :p AND begins_with(#s, :s)',
        ExpressionAttributeNames: { '#p': partition.attribute, ...(sort === undefined ? {} : { '#s': sort.attribute }) },
        ExpressionAttributeValues: { ':p': value, ...(sort === undefined ? {} : { ':s': sort.prefix }) },
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const item of output.Items ?? []) {
      const found = recognize<Item>(shapes, item);
      if (found?.entity === shape.entity && identity.every((name) => isSame(found.item[name], known[name]))) return item;
    }
    start = output.LastEvaluatedKey;
  } while (start !== undefined);
  return undefined;
}

/** How far each partition was read. */
function positionsOf({ reading, inputs }: Access, cursor: Cursor | undefined): Position[] {
  if (cursor === undefined) return inputs.map(() => 'start');
  const positions = isOfSeveral(cursor) ? cursor : [cursor];
  if (isOfSeveral(cursor) === (reading === 'one') || positions.length !== inputs.length) {
    throw new ArgumentError('the cursor is of another pattern or range');
  }
  return positions.map((position) => (typeof position === 'object' ? decoded(position) : position));
}

/** A key as plain data. */
function encoded(key: Item): CursorKey {
  const value = (known: unknown): CursorValue => {
    if (known instanceof Uint8Array) return { B: btoa(String.fromCharCode(...known)) };
    if (typeof known === 'number' || !isAnyNumber(known)) return known as string | number;
    return { N: numberText(known) };
  };
  return Object.fromEntries(Object.entries(key).map(([name, known]) => [name, value(known)]));
}

function decoded(key: CursorKey): Item {
  const value = (known: CursorValue): unknown => {
    if (typeof known !== 'object') return known;
    return 'B' in known ? Uint8Array.from(atob(known.B), (character) => character.charCodeAt(0)) : NumberValue.from(known.N);
  };
  return Object.fromEntries(Object.entries(key).map(([name, known]) => [name, value(known)]));
}

function pageOf(access: Access, found: readonly Found[], positions: Position[]): Page<unknown> {
  const items = found.filter(({ problem }) => problem === undefined).map(({ value }) => value);
  const problems = found.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  if (positions.every((position) => position === 'end')) return { items, problems };
  const cursor = positions.map((position) => (typeof position === 'object' ? encoded(position) : position));
  const [first] = cursor;
  return { items, problems, cursor: access.reading === 'one' && typeof first === 'object' ? first : cursor };
}

/** Reads partitions one after the other, from the last to the first in descending order. */
async function readInTurn(query: Query): Promise<Page<unknown>> {
  const { access, options } = query;
  const positions = positionsOf(access, options.cursor);
  const turns = [...access.inputs.entries()];
  if (access.inputs[0]?.ScanIndexForward === false) turns.reverse();
  const found: Found[] = [];
  let room = query.room;
  for (const [at, input] of turns) {
    const position = positions[at];
    if (position === undefined || position === 'end') continue;
    if (isFull(room)) break;
    const part = await readPartition(query, input, position, room);
    found.push(...part.found);
    room = part.found.reduce(roomAfter, room);
    positions[at] = part.position;
  }
  return pageOf(access, found, positions);
}

/** The order of keys in DynamoDB: numbers by value, strings by UTF-8, binary by its bytes. */
function order(left: unknown, right: unknown): number {
  if (isAnyNumber(left) && isAnyNumber(right)) return compareNumbers(left, right);
  const bytes = (value: unknown) => (value instanceof Uint8Array ? value : new TextEncoder().encode(String(value)));
  const [ours, theirs] = [bytes(left), bytes(right)];
  for (const [at, byte] of ours.entries()) {
    const difference = byte - (theirs[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return ours.length - theirs.length;
}

/** The order of two items by their sort key. */
function orderOf(left: Item, right: Item, sortKey: readonly string[]): number {
  for (const name of sortKey) {
    const difference = order(left[name], right[name]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Reads all partitions at once and merges them by the sort key. */
async function readMerged(query: Query): Promise<Page<unknown>> {
  const { access, options } = query;
  const sign = access.inputs[0]?.ScanIndexForward === false ? -1 : 1;
  const positions = positionsOf(access, options.cursor);
  // As much of each partition as the page could hold.
  const partitions = await Promise.all(
    access.inputs.map(async (input, at): Promise<{ found: Found[]; position: Position }> => {
      const position = positions[at];
      if (position === undefined || position === 'end') return { found: [], position: 'end' };
      return readPartition(query, input, position, query.room);
    }),
  );
  const taken = partitions.map(() => 0);
  const found: Found[] = [];
  let room = query.room;
  while (!isFull(room)) {
    let next: { at: number; head: Found } | undefined;
    for (const [at, partition] of partitions.entries()) {
      const head = partition.found[taken[at] ?? 0];
      if (head === undefined) continue;
      if (next === undefined || sign * orderOf(head.item, next.head.item, access.sortKey ?? []) < 0) next = { at, head };
    }
    if (next === undefined) break;
    found.push(next.head);
    room = roomAfter(room, next.head);
    positions[next.at] = pick(next.head.item, access.cursorKeys);
    taken[next.at] = (taken[next.at] ?? 0) + 1;
  }
  for (const [at, partition] of partitions.entries()) {
    if (partition.position === 'end' && taken[at] === partition.found.length) positions[at] = 'end';
  }
  return pageOf(access, found, positions);
}

/** One item by its key. */
export async function get<T>(
  client: DynamoDBDocumentClient,
  tableName: string,
  key: Item,
  shape: Shape<T>,
): Promise<T | undefined> {
  const output = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
  return output.Item === undefined || isBeingDeleted(output.Item) ? undefined : read(shape, output.Item);
}
