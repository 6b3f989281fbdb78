// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
// Key parts, conversion of items to entities, and argument checks.
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { deletionMark } from './shapes.js';

/** An item as it is stored. */
export type Item = Record<string, unknown>;

/** Thrown for a value that a key cannot hold. */
export class KeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyError';
  }
}

/** A number as clients return it: integers beyond 2^53 as `bigint`, and all as `NumberValue` with `wrapNumbers`. */
export type AnyNumber = number | bigint | NumberValue;

export const isAnyNumber = (value: unknown): value is AnyNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof NumberValue;

/** A number as DynamoDB writes it: every digit, no exponent. */
export function numberText(value: AnyNumber): string {
  const found = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(String(value));
  if (found === null) return String(value);
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, '0');
  const before = digits.slice(0, Math.max(0, point)).replace(/^0+(?=\d)/, '') || '0';
  const after = digits.slice(Math.max(0, point)).replace(/0+$/, '');
  const text = after === '' ? before : `${before}.${after}`;
  return sign === '-' && text !== '0' ? `-${text}` : text;
}

/** The order of two numbers by their values, exact for all digits. */
export function compareNumbers(left: AnyNumber, right: AnyNumber): number {
  const [ours, theirs] = [numberText(left).split('.'), numberText(right).split('.')];
  const places = Math.max(ours[1]?.length ?? 0, theirs[1]?.length ?? 0);
  const scaled = ([whole = '', fraction = '']: string[]) => BigInt(whole + fraction.padEnd(places, '0'));
  const difference = scaled(ours) - scaled(theirs);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

const textSize = (text: string): number => new TextEncoder().encode(text).length;

/** The size of a number in bytes, as DynamoDB counts it: pairs of significant digits, aligned to the decimal point. */
function numberSize(value: AnyNumber): number {
  const text = numberText(value);
  if (text === '0') return 1;
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const trailing = fraction === '' ? /0*$/.exec(whole)?.[0].length ?? 0 : 0;
  const digits = (whole + fraction).replace(/^0+/, '').length - trailing;
  const shift = (fraction === '' ? trailing : fraction.length) % 2;
  return Math.ceil((digits + shift) / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return textSize(value);
  if (isAnyNumber(value)) return numberSize(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return [...(value as Set<unknown>)].reduce<number>((size, element) => size + valueSize(element), 0);
  if (Array.isArray(value)) return value.reduce<number>((size, element) => size + 1 + valueSize(element), 3);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((size, [name, inner]) => size + 1 + textSize(name) + valueSize(inner), 3);
}

/** The size of an item in bytes, as DynamoDB counts it: the names and values of its attributes. */
export function itemSize(item: Item): number {
  const present = Object.entries(item).filter(([, value]) => value !== undefined);
  return present.reduce((size, [name, value]) => size + textSize(name) + valueSize(value), 0);
}

/** A number with all its digits, for queries: a `number` would round it. */
export const exactNumber = (digits: string): NumberValue => NumberValue.from(digits);

/** Parses a number: a `NumberValue` if a `number` would be rounded. */
function numberOf(text: string): number | NumberValue {
  const number = Number(text);
  return numberText(number) === numberText(NumberValue.from(text)) ? number : NumberValue.from(text);
}

/** The value with each number as a `number`, if that is exact. */
function unwrapped(value: unknown): unknown {
  if (value instanceof NumberValue) return numberOf(value.value);
  if (value instanceof Set) return new Set([...(value as Set<unknown>)].map(unwrapped));
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unwrapped(inner)]));
}

/** Whether two values of keys are equal. */
export function isSame(left: unknown, right: unknown): boolean {
  if (isAnyNumber(left) && isAnyNumber(right)) return compareNumbers(left, right) === 0;
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return left.length === right.length && left.every((byte, at) => byte === right[at]);
  }
  return left === right;
}

export type Format = (text: string) => string;

/** The text of a value within a key. A part that is followed by another must not contain the delimiter, unless it is `allowed`. */
export function part(
  name: string,
  value: string | AnyNumber | boolean,
  formats: Format[] = [],
  forbidden = '',
  allowed?: string,
): string {
  const text = formats.reduce((known, format) => format(known), isAnyNumber(value) ? numberText(value) : String(value));
  if (text === '') throw new KeyError(`\`${name}\` is empty; a key part must not be empty`);
  if (text === allowed) return text;
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
  if (!/^\d+$/.test(text) || text.length > digits) throw new KeyError(`\`${text}\` is not a number with ${digits} digits`);
  return text.padStart(digits, '0');
};

const complement = (digits: string): string => digits.replace(/\d/g, (digit) => String(9 - Number(digit)));

/** What is missing to the greatest number with so many digits: higher numbers sort first. */
export const descending = (digits: number): Format => (text) => complement(width(digits)(text));

/** The number of a shard: FNV-1a of the value, padded to the width of the highest number. */
export const shard = (count: number): Format => (text) => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  const number = (hash ^ (hash >> 32n)) % BigInt(count);
  return number.toString().padStart(String(count - 1).length, '0');
};

/** How a captured part of a key is read; `none` if it does not determine the value. */
type Captured = readonly [name: string, reading: 'text' | 'url' | 'number' | 'descending' | 'boolean' | 'binary' | 'lower' | 'upper' | 'none'];
type Alternative = readonly [pattern: RegExp, captured: readonly Captured[]];
type KeyShape = readonly [attribute: string, ...alternatives: Alternative[]];

/** How the items of an entity are recognized and read. */
export interface Shape<T> {
  readonly entity: string;
  /** The key of the table: an item that matches it belongs to the entity. */
  readonly base: readonly KeyShape[];
  /** Set if other entities have the same keys: the attribute that tells them apart, and its value. */
  readonly kind?: readonly [attribute: string, value: string];
  /** Other attributes computed from templates, from which values may be read too. */
  readonly computed: readonly KeyShape[];
  /** The attributes that are stored. */
  readonly stored: readonly string[];
  /** The attributes that are stored in keys only. */
  readonly keyOnly: readonly string[];
  /** Set if undeclared attributes are returned as well: the computed attributes, which are not among them. */
  readonly openBut?: readonly string[];
  /** Carries the type of the entity. */
  readonly type?: T;
}

/** The values read from one alternative of a key; undefined if the key does not match it. */
function captured(text: string, [pattern, names]: Alternative): Item | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const values: Item = {};
  for (const [at, [name, reading]] of names.entries()) {
    const piece = found[at + 1];
    if (piece === undefined || reading === 'none') continue;
    if (reading === 'lower' || reading === 'upper') {
      if (piece !== (reading === 'lower' ? piece.toLowerCase() : piece.toUpperCase())) return undefined;
      continue;
    }
    values[name] =
      reading === 'url' ? decodeURIComponent(piece) : reading === 'number' ? numberOf(piece) : reading === 'descending' ? numberOf(complement(piece)) : reading === 'boolean' ? piece === 'true' : piece;
  }
  return values;
}

function keyValues(item: Item, [attribute, ...alternatives]: KeyShape): Item | undefined {
  const value = item[attribute];
  if (value instanceof Uint8Array) {
    const held = alternatives.flatMap(([, names]) => names).filter(([, reading]) => reading === 'binary');
    return held.length === 0 ? undefined : Object.fromEntries(held.map(([name]) => [name, value]));
  }
  const text = isAnyNumber(value) ? numberText(value) : value;
  if (typeof text !== 'string') return undefined;
  for (const alternative of alternatives) {
    const found = captured(text, alternative);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Converts an item to its entity; undefined if its keys belong to another entity. */
export function read<T>(shape: Shape<T>, item: Item): T | undefined {
  if (shape.kind !== undefined && item[shape.kind[0]] !== shape.kind[1]) return undefined;
  const known: Item = {};
  for (const key of shape.base) {
    const found = keyValues(item, key);
    if (found === undefined) return undefined;
    for (const [name, value] of Object.entries(found)) {
      if (name in known && !isSame(known[name], value)) return undefined;
      known[name] = value;
    }
  }
  for (const key of shape.computed) {
    for (const [name, value] of Object.entries(keyValues(item, key) ?? {})) known[name] ??= value;
  }
  const entity: Item = {};
  for (const name of shape.keyOnly) if (known[name] !== undefined) entity[name] = known[name];
  for (const name of shape.stored) {
    const value = item[name] ?? known[name];
    if (value !== undefined) entity[name] = unwrapped(value);
  }
  if (shape.openBut !== undefined) {
    for (const [name, value] of Object.entries(item)) {
      if (name !== deletionMark.attribute && !shape.openBut.includes(name)) entity[name] ??= unwrapped(value);
    }
  }
  return entity as T;
}

/** The first shape that an item matches. */
export function recognize<T>(known: readonly Shape<unknown>[], item: Item): { entity: string; item: T } | undefined {
  for (const shape of known) {
    const found = read(shape, item);
    if (found !== undefined) return { entity: shape.entity, item: found as T };
  }
  return undefined;
}

/** Whether an item lacks the attribute that tells which of several entities with the same keys it has. */
export function lacksKind(known: readonly Shape<unknown>[], item: Item): boolean {
  return known.some(({ kind, ...shape }) => kind !== undefined && !(kind[0] in item) && read(shape, item) !== undefined);
}

/** A stored item that a page leaves out: another program wrote it, or the design was another one. */
export interface ItemProblem {
  /** The item's key in the table. */
  readonly key: Item;
  /** The entity that the item should be; several as `A or B`. */
  readonly expected: string;
  /** What does not fit. */
  readonly detail: string;
}

/** Whether the item counts as deleted although it is still stored. */
export function isBeingDeleted(item: Item): boolean {
  return item[deletionMark.attribute] === deletionMark.value;
}

/** Thrown for an argument that a pattern does not accept. */
export class ArgumentError extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = 'ArgumentError';
  }
}

/** The rule for an argument. */
export interface Check {
  readonly fits: (value: unknown) => boolean;
  readonly rule: string;
  /** The argument as the rule expects it. */
  readonly normalize?: (value: unknown) => unknown;
  /** Whether the rule applies to each item of a list. */
  readonly isList?: boolean;
  readonly atLeastCharacters?: number;
}

/** Requires exactly the parameters of a pattern, each of its type; returns them as the pattern takes them. */
export function check<T extends object>(args: T, checks: Readonly<Record<string, Check>>): T {
  const given: Item = Object.fromEntries(Object.entries(args));
  const names = Object.keys(checks);
  if (Object.keys(given).length !== names.length || names.some((name) => given[name] === undefined)) {
    throw new ArgumentError(`the pattern takes ${names.join(', ')}`);
  }
  for (const [name, { fits, rule, normalize, isList, atLeastCharacters }] of Object.entries(checks)) {
    if (normalize !== undefined) {
      const stated = given[name];
      given[name] = isList === true && Array.isArray(stated) ? (stated as unknown[]).map(normalize) : normalize(stated);
    }
    const value = given[name];
    for (const one of isList === true && Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (!fits(one)) throw new ArgumentError(`\`${name}\` must be ${rule} but is \`${String(one)}\``);
    }
    if (atLeastCharacters !== undefined && [...String(value)].length < atLeastCharacters) {
      const characters = atLeastCharacters === 1 ? '1 character' : `${atLeastCharacters} characters`;
      throw new ArgumentError(`\`${name}\` must have at least ${characters} but is \`${String(value)}\``);
    }
  }
  return given as T;
}

const matches = (pattern: RegExp) => (value: unknown): boolean => typeof value === 'string' && pattern.test(value);

export const isPresent = (value: unknown): boolean => value !== undefined;
export const isText = (value: unknown): boolean => typeof value === 'string';
export const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
export const isInteger = (value: unknown): boolean => Number.isInteger(value);
export const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
export const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
export const isUlid = matches(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
export const isUuid = matches(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const isUrl = matches(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s\p{Cc}/?#][^\s\p{Cc}]*$/u);
export const isEmail = (value: unknown): boolean =>
  matches(/^[^\s\p{Cc}@]+@[^\s\p{Cc}@.]+(?:\.[^\s\p{Cc}@.]+)+$/u)(value) && new TextEncoder().encode(value as string).length <= 254;
export const isOneOf = (...values: string[]) => (value: unknown): boolean => typeof value === 'string' && values.includes(value);

/** Whether a value is a time in UTC with milliseconds, on a day that exists. */
export const isDateTime = (value: unknown): boolean => {
  if (!matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)(value)) return false;
  const moment = new Date(value as string);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === value;
};
export const isDate = (value: unknown): boolean =>
  matches(/^\d{4}-\d{2}-\d{2}$/)(value) && isDateTime(`${value as string}T00:00:00.000Z`);

/** A format of timestamps: a text with so many digits behind the second and a zone, or a number with so many units per second. */
type TimestampFormat =
  | { readonly digits: number; readonly zone: string; readonly lower?: boolean }
  | { readonly perSecond: number };

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-]\d{2}):?(\d{2})?)?$/;

/** The second of a timestamp in a common spelling, and its microseconds; a time without a zone is in UTC. */
function momentOf(value: unknown): readonly [second: number, micros: string] | undefined {
  const found = typeof value === 'string' ? TIMESTAMP.exec(value) : null;
  if (found === null) return undefined;
  const [, date, minute, second, fraction, hours, minutes] = found;
  if (!isDate(date)) return undefined;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`;
  const milliseconds = Date.parse(`${date}T${minute}:${second ?? '00'}${zone}`);
  return Number.isNaN(milliseconds) ? undefined : [milliseconds / 1000, (fraction ?? '').padEnd(6, '0').slice(0, 6)];
}

/** A timestamp in its format; anything else as it is. */
export const inFormat = (format: TimestampFormat) => (value: unknown): unknown => {
  const moment = isTimestamp(format)(value) ? undefined : momentOf(value);
  if (moment === undefined) return value;
  const [second, micros] = moment;
  if ('perSecond' in format) return second * format.perSecond + Math.floor((Number(micros) * format.perSecond) / 1_000_000);
  const text = new Date(second * 1000).toISOString().slice(0, 19);
  const fraction = format.digits === 0 ? '' : `.${micros.slice(0, format.digits)}`;
  return format.lower === true ? `${text}${fraction}${format.zone}`.toLowerCase() : `${text}${fraction}${format.zone}`;
};

/** Whether a value is a timestamp in a format. */
export const isTimestamp = (format: TimestampFormat) => (value: unknown): boolean => {
  if ('perSecond' in format) return Number.isInteger(value);
  const moment = momentOf(value);
  if (moment === undefined) return false;
  const text = value as string;
  const end = text.length - format.zone.length;
  const [time, zone] = [text.slice(0, end), text.slice(end)];
  const mark = format.lower === true ? 't' : 'T';
  const digits = format.digits === 0 ? '' : `\\.\\d{${format.digits}}`;
  const wanted = format.lower === true ? format.zone.toLowerCase() : format.zone;
  return (
    new RegExp(`^\\d{4}-\\d{2}-\\d{2}${mark}\\d{2}:\\d{2}:\\d{2}${digits}$`).test(time) &&
    (format.zone.startsWith('+') ? /^[+-]\d{2}:\d{2}$/.test(zone) : zone === wanted)
  );
};

/** Whether a value is a timestamp in a format, or a date, which stands for its whole day. */
export const isMoment = (format: TimestampFormat) => (value: unknown): boolean => isTimestamp(format)(value) || isDate(value);

/** The date, in UTC, of a timestamp; anything else as it is. */
export function utcDate(value: unknown): unknown {
  const moment = momentOf(value);
  return moment === undefined ? value : new Date(moment[0] * 1000).toISOString().slice(0, 10);
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);
const secondOf = (date: string): number => Date.parse(`${date}T00:00:00.000Z`) / 1000;

/** The first moment of a date's day; a time as it is. */
export const startOfDay = (mark: 'T' | 't' | number): Format => (text) =>
  !isDay(text) ? text : typeof mark === 'number' ? String(secondOf(text) * mark) : `${text}${mark}00`;

/** The end of a date's day, which is below the next day and above all of its own times; a time as it is. */
export const endOfDay = (mark: 'T' | 't' | number): Format => (text) =>
  !isDay(text) ? text : typeof mark === 'number' ? String((secondOf(text) + 86_400) * mark - 1) : `${text}${mark}24`;

/** A bound of timestamps, which may be a date. */
export function momentValue(value: unknown, edge: Format): unknown {
  if (typeof value !== 'string') return value;
  const moment = edge(value);
  return /^-?\d+$/.test(moment) ? Number(moment) : moment;
}

function requireFew(count: number, atMost: number): void {
  if (count > atMost) throw new ArgumentError(`the pattern reads at most ${atMost} partitions, but ${count} are requested`);
}

/** The numbers of all shards. */
export const shards = (count: number): number[] => [...Array(count).keys()];

/** Each value of a list once. */
export function distinct<T>(values: readonly T[], atMost: number): T[] {
  const found = [...new Set(values)];
  requireFew(found.length, atMost);
  return found;
}

/** Every whole number from one to another, both included. */
export function integers(from: number, to: number, atMost: number): number[] {
  const count = Math.max(0, to - from + 1);
  requireFew(count, atMost);
  return shards(count).map((number) => from + number);
}

/** Every day from one to another, both included. */
export function days(from: string, to: string, atMost: number): string[] {
  const day = (date: string) => Date.parse(`${date}T00:00:00.000Z`) / 86_400_000;
  return integers(day(from), day(to), atMost).map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10));
}
