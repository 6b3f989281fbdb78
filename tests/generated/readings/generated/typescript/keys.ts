// Generated from design.yaml by `keyfold generate typescript`. Do not edit: change the design and generate again.
import type * as entities from './entities.js';
import * as support from './support.js';

/** PK of Sensor: `SENSOR#<sensorId>`. */
export function pkSensor(values: Pick<entities.Sensor, 'sensorId'>): string {
  return `SENSOR#${support.part('sensorId', values.sensorId)}`;
}

/** SK of Sensor: `METADATA`. */
export function skSensor(): string {
  return 'METADATA';
}

/** PK of Reading: `SENSOR#<sensorId>`. */
export function pkReading(values: Pick<entities.Reading, 'sensorId'>): string {
  return `SENSOR#${support.part('sensorId', values.sensorId)}`;
}

/** SK of Reading: `VALUE#<value>#<readingId>`. */
export function skReading(values: Pick<entities.Reading, 'readingId' | 'value'>): string {
  return `VALUE#${support.part('value', values.value, [], '#')}#${support.part('readingId', values.readingId)}`;
}

/** Reading in GSI1. */
export function gsi1Reading(values: Pick<entities.Reading, 'readingId' | 'unit' | 'value'>): { GSI1PK: string; GSI1SK: number } {
  return { GSI1PK: `UNIT#${support.part('unit', values.unit, [], '#')}#${support.part('readingId', values.readingId, [support.shard(3)])}`, GSI1SK: values.value };
}

/** Reading in GSI2; only items that have all its attributes are in the index. */
export function gsi2Reading(values: Pick<entities.Reading, 'readingId'>): { GSI2SK: string } | Record<string, never> {
  return { GSI2SK: `${support.part('readingId', values.readingId)}` };
}

/** PK of Beat: `BEAT#<station>#<at:date>`. */
export function pkBeat(values: Pick<entities.Beat, 'at' | 'station'>): string {
  return `BEAT#${support.part('station', values.station, [], '#')}#${support.part('at', values.at, [support.slice(0, 10)])}`;
}

/** SK of Beat: `ROUND#<round:descending(4)>#<at>`. */
export function skBeat(values: Pick<entities.Beat, 'at' | 'round'>): string {
  return `ROUND#${support.part('round', values.round, [support.descending(4)])}#${support.part('at', values.at)}`;
}

/** Beat in GSI1. */
export function gsi1Beat(values: Pick<entities.Beat, 'second' | 'station'>): { GSI1PK: string; GSI1SK: number } {
  return { GSI1PK: `STATION#${support.part('station', values.station)}`, GSI1SK: values.second };
}
