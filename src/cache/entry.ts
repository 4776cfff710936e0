import type { Generations } from "./generations.ts";
import { toLosslessJson } from "./json-text.ts";

/** A cached value and its expiry time. */
export interface Entry {
  readonly value: unknown;
  /** Milliseconds since the epoch; `Infinity` for never. */
  readonly expiresAtMs: number;
}

/**
 * Encodes a value for a store: JSON of `{ e, v }`, the expiry (`null` for never) and the value, with the
 * generations that it depends on in between: see {@link addGenerations}.
 *
 * The expiry is included because platform TTLs are not exact: Workers KV has whole seconds, at least
 * sixty. A string, so that every store copies values in and out in the same way.
 */
export function encodeEntry(key: string, value: unknown, expiresAtMs: number): string {
  const expiry = Number.isFinite(expiresAtMs) ? expiresAtMs : null;
  return `{"e":${expiry},"v":${toLosslessJson(value, key)}}`;
}

/** Content of a key whose value is being produced: a miss for every reader. */
export interface Placeholder {
  /** Unique: a key that was deleted meanwhile gets a placeholder with another one. */
  readonly id: string;
  /** Number of producers whose result may replace it. */
  readonly holders: number;
}

/** Encodes a placeholder for a store. */
export function encodePlaceholder({ id, holders }: Placeholder): string {
  return `{"e":0,"p":"${id}","n":${holders},"v":null}`;
}

const placeholderPattern = /^\{"e":0,"p":"([\w-]+)","n":(\d+),"v":null\}$/;

/** Returns undefined for an entry, and for an absent key. */
export function decodePlaceholder(text: string | undefined): Placeholder | undefined {
  const [, id, holders] = placeholderPattern.exec(text ?? "") ?? [];
  return id === undefined ? undefined : { id, holders: Number(holders) };
}

/** Makes an encoded entry depend on generations. */
export function addGenerations(entry: string, generations: Generations): string {
  return entry.replace(',"v":', () => `,"g":${JSON.stringify(generations)},"v":`);
}

/** Their keys and values contain no braces, so that the value of the entry need not be parsed. */
const leadingGenerations = /^\{"e":[^,"]+,"g":(\{[^}]*\}),"v":/u;

/** Returns the generations that a stored entry depends on; undefined for one that depends on none. */
export function generationsOf(stored: unknown): Generations | undefined {
  if (typeof stored === "string") {
    const text = leadingGenerations.exec(stored)?.[1];
    return text === undefined ? undefined : (JSON.parse(text) as Generations); // written by encodeEntry
  }
  return isEnvelope(stored) ? stored.g : undefined;
}

/**
 * Decodes a stored value into a new copy of the entry; `undefined` if it is absent or damaged.
 *
 * A value that was not written by this cache is an entry without expiry.
 */
export function decodeEntry(stored: unknown): Entry | undefined {
  if (stored === undefined || stored === null) return undefined;
  if (typeof stored === "string" && stored.startsWith('{"e":')) return decodeEnvelope(stored);
  // A store may parse the JSON and return the object.
  if (isEnvelope(stored)) return openEnvelope(stored);
  return { value: stored, expiresAtMs: Number.POSITIVE_INFINITY };
}

/** Returns true if an entry has not expired, or expired less than `staleMs` ago. */
export function isFresh(entry: Entry | undefined, nowMs: number, staleMs = 0): entry is Entry {
  return entry !== undefined && nowMs < entry.expiresAtMs + staleMs;
}

/** Returns the string of an entry; a store may have parsed it. */
export function toText(stored: unknown): string | undefined {
  if (stored === undefined || stored === null) return undefined;
  return typeof stored === "string" ? stored : JSON.stringify(stored);
}

interface Envelope {
  readonly e: number | null;
  readonly g?: Generations;
  /** Identifies a placeholder. */
  readonly p?: string;
  readonly v: unknown;
}

function decodeEnvelope(text: string): Entry | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isEnvelope(content) ? openEnvelope(content) : undefined;
  } catch {
    return undefined;
  }
}

function openEnvelope(envelope: Envelope): Entry | undefined {
  if (envelope.p !== undefined) return undefined;
  return { value: envelope.v, expiresAtMs: envelope.e ?? Number.POSITIVE_INFINITY };
}

function isEnvelope(content: unknown): content is Envelope {
  if (typeof content !== "object" || content === null) return false;
  if (!("e" in content && "v" in content)) return false;
  return content.e === null || typeof content.e === "number";
}
