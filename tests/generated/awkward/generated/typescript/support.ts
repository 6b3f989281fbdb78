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

/** How far a partition was read, where a pattern reads several. */
export type Position = Item | 'start' | 'end';

/** Where a page ended: a key, or how far each partition was read. Plain data, to be sent and taken back as it is. */
export type Cursor = Item | readonly Position[];

export interface PageOptions {
  /** The results of a page; all there are if left out. */
  limit?: number;
  /** From the page before. */
  cursor?: Cursor;
  /** Another table than the design's. */
  tableName?: string;
  /** Read consistently; the table only, indexes cannot be. */
  consistent?: boolean;
}

export interface Page<T> {
  items: T[];
  /** Where the next page begins; absent at the end. */
  cursor?: Cursor;
}

/** What a count may be told. */
export type CountOptions = Pick<PageOptions, 'tableName' | 'consistent'>;

function isOfSeveral(cursor: Cursor): cursor is readonly Position[] {
  return Array.isArray(cursor);
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
  let start: Item | undefined;
  if (options.cursor !== undefined) {
    if (isOfSeveral(options.cursor)) throw new RangeError('the cursor is of a pattern that reads several partitions');
    start = options.cursor;
  }
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

/** How far each of several partitions was read. */
function positionsOf(cursor: Cursor | undefined, count: number): Position[] {
  if (cursor === undefined) return Array<Position>(count).fill('start');
  if (!isOfSeveral(cursor) || cursor.length !== count) throw new RangeError('the cursor is of another pattern or range');
  return [...cursor];
}

/** The options of a query that goes on in one partition. */
function goingOn(options: PageOptions, position: Item | 'start', limit: number | undefined): PageOptions {
  const { cursor, limit: all, ...each } = options;
  return { ...each, ...(position === 'start' ? {} : { cursor: position }), ...(limit === undefined ? {} : { limit }) };
}

function pageOf<T>(items: T[], positions: Position[]): Page<T> {
  return positions.every((position) => position === 'end') ? { items } : { items, cursor: positions };
}

/** Several partitions, one after the other. */
export async function queryInTurn<T>(
  client: DynamoDBDocumentClient,
  inputs: readonly QueryCommandInput[],
  options: PageOptions,
  keyNames: readonly string[],
  take: (item: Item) => Promise<T | undefined>,
): Promise<Page<T>> {
  const ordered = inputs[0]?.ScanIndexForward === false ? [...inputs].reverse() : inputs;
  const positions = positionsOf(options.cursor, ordered.length);
  const items: T[] = [];
  for (const [at, input] of ordered.entries()) {
    const position = positions[at];
    if (position === undefined || position === 'end') continue;
    const left = options.limit === undefined ? undefined : options.limit - items.length;
    if (left === 0) break;
    const page = await query(client, input, goingOn(options, position, left), keyNames, take);
    items.push(...page.items);
    positions[at] = page.cursor === undefined || isOfSeveral(page.cursor) ? 'end' : page.cursor;
  }
  return pageOf(items, positions);
}

/** As DynamoDB orders keys: numbers by value, texts by their UTF-8. */
function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [ours, theirs] = [[...String(left)], [...String(right)]];
  for (const [at, character] of ours.entries()) {
    const other = theirs[at];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return ours.length - theirs.length;
}

/** Several partitions, merged by a sort key. */
export async function queryMerged<T>(
  client: DynamoDBDocumentClient,
  inputs: readonly QueryCommandInput[],
  options: PageOptions,
  keyNames: readonly string[],
  take: (item: Item) => Promise<T | undefined>,
  mergeBy: string,
): Promise<Page<T>> {
  const sign = inputs[0]?.ScanIndexForward === false ? -1 : 1;
  const positions = positionsOf(options.cursor, inputs.length);
  // As much of each partition as the page could hold.
  const partitions = await Promise.all(
    inputs.map(async (input, at) => {
      const position = positions[at];
      if (position === undefined || position === 'end') return { found: [], isAll: true };
      const page = await query(client, input, goingOn(options, position, options.limit), keyNames, async (item) => {
        const value = await take(item);
        if (value === undefined) return undefined;
        return { value, by: item[mergeBy], key: Object.fromEntries(keyNames.map((name) => [name, item[name]])) };
      });
      return { found: page.items, isAll: page.cursor === undefined };
    }),
  );
  const taken = partitions.map(() => 0);
  const items: T[] = [];
  while (items.length !== options.limit) {
    let first: { at: number; by: unknown } | undefined;
    partitions.forEach(({ found }, at) => {
      const head = found[taken[at] ?? 0];
      if (head !== undefined && (first === undefined || sign * order(head.by, first.by) < 0)) first = { at, by: head.by };
    });
    if (first === undefined) break;
    const { at } = first as { at: number };
    const head = partitions[at]?.found[taken[at] ?? 0];
    if (head === undefined) break;
    items.push(head.value);
    positions[at] = head.key;
    taken[at] = (taken[at] ?? 0) + 1;
  }
  partitions.forEach(({ found, isAll }, at) => {
    if (isAll && taken[at] === found.length) positions[at] = 'end';
  });
  return pageOf(items, positions);
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
