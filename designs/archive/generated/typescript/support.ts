// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
// What key builders and query functions have in common.
import { GetCommand, QueryCommand, type DynamoDBDocumentClient, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** An item as the table holds it. */
export type Item = Record<string, unknown>;

/** A value that cannot be a part of a key. */
export class KeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyError';
  }
}

export type Format = (text: string) => string;

/** The text of a value within a key. A part that another one follows must not hold what separates them. */
export function part(name: string, value: string | number | boolean, formats: Format[] = [], forbidden = ''): string {
  const text = formats.reduce((known, format) => format(known), String(value));
  if (text === '') throw new KeyError(`\`${name}\` is empty, and a part of a key cannot be`);
  for (const character of forbidden) {
    if (text.includes(character)) {
      throw new KeyError(`\`${text}\` of \`${name}\` contains \`${character}\`, which separates the parts of the key`);
    }
  }
  return text;
}

export const lower: Format = (text) => text.toLowerCase();
export const upper: Format = (text) => text.toUpperCase();
export const first = (count: number): Format => (text) => [...text].slice(0, count).join('');
export const url: Format = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
export const slice = (from: number, to: number): Format => (text) => text.slice(from, to);
export const width = (digits: number): Format => (text) => {
  if (!/^\d+$/.test(text) || text.length > digits) throw new KeyError(`\`${text}\` is no number of ${digits} digits`);
  return text.padStart(digits, '0');
};

/** The number of a shard, from FNV-1a of the value, as wide as the highest one. */
export const shard = (count: number): Format => (text) => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  const number = (hash ^ (hash >> 32n)) % BigInt(count);
  return number.toString().padStart(String(count - 1).length, '0');
};

/** What a captured part of a key stands for; `none` where the key does not tell the value. */
type Captured = readonly [name: string, kind: 'text' | 'url' | 'number' | 'boolean' | 'none'];
type KeyShape = readonly [attribute: string, pattern: RegExp, captured: readonly Captured[]];

/** How the items of an entity are told from others, and read. */
export interface Shape<T> {
  readonly entity: string;
  /** The base key: an item is of the entity where it fits. */
  readonly base: readonly KeyShape[];
  /** Other attributes made from templates, which may tell values too. */
  readonly told: readonly KeyShape[];
  /** The attributes that are stored. */
  readonly stored: readonly string[];
  /** The attributes of the entity that only keys hold. */
  readonly keyOnly: readonly string[];
  /** Where other attributes are kept as well: those that are made from templates, which are none of them. */
  readonly openBut?: readonly string[];
  /** Keeps the type. */
  readonly type?: T;
}

function captured(item: Item, [attribute, pattern, names]: KeyShape): Item | undefined {
  const value = item[attribute];
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const found = pattern.exec(String(value));
  if (found === null) return undefined;
  const told: Item = {};
  names.forEach(([name, kind], at) => {
    const text = found[at + 1];
    if (text === undefined || kind === 'none') return;
    told[name] =
      kind === 'url' ? decodeURIComponent(text) : kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text;
  });
  return told;
}

/** The entity of an item, or nothing where its keys are of another one. */
export function read<T>(shape: Shape<T>, item: Item): T | undefined {
  const told: Item = {};
  for (const key of shape.base) {
    const found = captured(item, key);
    if (found === undefined) return undefined;
    for (const [name, value] of Object.entries(found)) {
      if (name in told && told[name] !== value) return undefined;
      told[name] = value;
    }
  }
  for (const key of shape.told) {
    for (const [name, value] of Object.entries(captured(item, key) ?? {})) told[name] ??= value;
  }
  const entity: Item = {};
  for (const name of shape.keyOnly) if (told[name] !== undefined) entity[name] = told[name];
  for (const name of shape.stored) {
    const value = item[name] ?? told[name];
    if (value !== undefined) entity[name] = value;
  }
  if (shape.openBut !== undefined) {
    for (const [name, value] of Object.entries(item)) if (!shape.openBut.includes(name)) entity[name] ??= value;
  }
  return entity as T;
}

/** The first shape that an item fits: shapes are in the order of how much of their keys is literal. */
export function recognise<T>(shapes: readonly Shape<unknown>[], item: Item): { entity: string; item: T } | undefined {
  for (const shape of shapes) {
    const found = read(shape, item);
    if (found !== undefined) return { entity: shape.entity, item: found as T };
  }
  return undefined;
}

export interface PageOptions {
  /** The results of a page; all there are if left out. */
  limit?: number;
  /** From the page before. */
  cursor?: Item;
  /** Another table than the design's. */
  tableName?: string;
  /** Read consistently; the table only, indexes cannot be. */
  consistent?: boolean;
}

export interface Page<T> {
  items: T[];
  /** Where the next page begins; absent at the end. */
  cursor?: Item;
}

/** Reads until the page is full: what is not wanted does not count. */
export async function query<T>(
  client: DynamoDBDocumentClient,
  input: QueryCommandInput,
  options: PageOptions,
  keyNames: readonly string[],
  take: (item: Item) => Promise<T | undefined> | T | undefined,
): Promise<Page<T>> {
  const items: T[] = [];
  let start = options.cursor;
  for (;;) {
    const output = await client.send(
      new QueryCommand({
        ...input,
        ...(options.tableName === undefined ? {} : { TableName: options.tableName }),
        ...(options.consistent === true ? { ConsistentRead: true } : {}),
        ...(options.limit === undefined ? {} : { Limit: options.limit }),
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const item of output.Items ?? []) {
      const wanted = await take(item);
      if (wanted === undefined) continue;
      items.push(wanted);
      if (items.length === options.limit) {
        const cursor: Item = {};
        for (const name of keyNames) cursor[name] = item[name];
        return { items, cursor };
      }
    }
    if (output.LastEvaluatedKey === undefined) return { items };
    start = output.LastEvaluatedKey;
  }
}

/** Several partitions: one after the other, or merged by a sort key. A `limit` ends the reading; there is no next page. */
export async function queryEach<T>(
  client: DynamoDBDocumentClient,
  inputs: readonly QueryCommandInput[],
  options: PageOptions,
  keyNames: readonly string[],
  take: (item: Item) => Promise<T | undefined>,
  mergeBy?: string,
): Promise<Page<T>> {
  const { limit, cursor, ...each } = options;
  if (cursor !== undefined) throw new RangeError('several partitions are read in one go, without a cursor');
  const isDescending = inputs[0]?.ScanIndexForward === false;
  const found: { key: unknown; value: T }[] = [];
  for (const input of isDescending ? [...inputs].reverse() : inputs) {
    const page = await query(client, input, each, keyNames, async (item) => {
      const value = await take(item);
      return value === undefined ? undefined : { key: item[mergeBy ?? ''], value };
    });
    found.push(...page.items);
    if (mergeBy === undefined && limit !== undefined && found.length >= limit) break;
  }
  if (mergeBy !== undefined) {
    const sign = isDescending ? -1 : 1;
    found.sort((a, b) => ((a.key as string) < (b.key as string) ? -sign : (a.key as string) > (b.key as string) ? sign : 0));
  }
  return { items: found.slice(0, limit).map(({ value }) => value) };
}

/** One item by its key. */
export async function get<T>(
  client: DynamoDBDocumentClient,
  tableName: string,
  key: Item,
  shape: Shape<T>,
): Promise<T | undefined> {
  const output = await client.send(new GetCommand({ TableName: tableName, Key: key }));
  return output.Item === undefined ? undefined : read(shape, output.Item);
}

/** Every day from one to another, both included. */
export function days(from: string, to: string, atMost: number): string[] {
  const found: string[] = [];
  const end = Date.parse(`${to}T00:00:00Z`);
  for (let day = Date.parse(`${from}T00:00:00Z`); day <= end; day += 86_400_000) {
    found.push(new Date(day).toISOString().slice(0, 10));
    if (found.length > atMost) throw new RangeError(`the range is longer than ${atMost} days`);
  }
  return found;
}
