import { HttpError } from "../../src/http/http-error.ts";
import { parseBoundary } from "../../src/http/multipart/boundary.ts";
import { parseMultipart } from "../../src/http/multipart/parse-multipart.ts";
import { readMultipart } from "../../src/http/multipart/read-multipart.ts";
import { multipartCases, streamOf, toBytes } from "./multipart-cases.ts";
import { readByReference } from "./multipart-reference.ts";
import { Random } from "./random.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Mutation {
  readonly contentType: string;
  readonly bytes: Bytes;
}

/** Strings with a meaning in a form. */
const snippets = [
  ..."\r\n \t\0-;:=\"\\%*'ax",
  "\r\n",
  "\r\n\r\n",
  "\r\n--",
  "\r\n\r\n--",
  "--",
  '"; filename="x',
  "; filename*=utf-8''%41",
  "Content-Type: text/plain; charset=x-none\r\n",
  "X: y\r\n",
  "\u{e9}",
].map(toBytes);

/** Returns the valid forms of the table. Most changes make a form malformed, so that mutations start from these. */
export function validForms(): Mutation[] {
  return multipartCases.filter(({ bytes, expected }) => bytes.length > 0 && "entries" in expected);
}

/** Generates forms of the table with one to three changes, deterministic by seed. */
export function* mutate(seed: number, count: number): Generator<Mutation> {
  const random = new Random(seed);
  const forms = validForms();
  for (let index = 0; index < count; index += 1) yield mutateForm(random.pick(forms), random);
}

/** Returns a form with one to three changes. */
export function mutateForm({ contentType, bytes }: Mutation, random: Random): Mutation {
  let mutated = bytes;
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    mutated = changeOnce(mutated, contentType, random);
  }
  return { contentType, bytes: mutated };
}

function changeOnce(bytes: Bytes, contentType: string, random: Random): Bytes {
  const start = random.chance(0.5)
    ? startOfContent(bytes, random)
    : random.between(0, bytes.length);
  const end = start + random.pick([0, 0, 0, 1, 2, random.between(0, 80)]);
  const before = bytes.subarray(0, start);
  const after = bytes.subarray(end);
  if (random.chance(0.03)) return concat(before); // truncated
  if (random.chance(0.1)) return concat(before, bytes.subarray(start, end), bytes.subarray(start));
  if (random.chance(0.3)) return concat(before, delimiterOf(contentType, random), after);
  return concat(before, random.pick(snippets), after);
}

/** Returns a position near the start of a content, where changes keep the form valid more often. */
function startOfContent(bytes: Bytes, random: Random): number {
  const text = String.fromCharCode(...bytes);
  const emptyLines = [...text.matchAll(/\r\n\r\n/g)].map(({ index }) => index);
  const emptyLine = emptyLines.length === 0 ? 0 : random.pick(emptyLines);
  return Math.min(bytes.length, emptyLine + random.between(2, 6));
}

/** Returns the delimiter of a form, complete or truncated. */
function delimiterOf(contentType: string, random: Random): Bytes {
  const [, quoted, token] = /boundary=(?:"([^"]*)"|([^;]*))/i.exec(contentType) ?? [];
  const delimiter = toBytes(
    `\r\n--${quoted ?? token ?? ""}${random.pick(["", "--", "\r\n", "--\r\n"])}`,
  );
  return random.chance(0.5) ? delimiter : delimiter.slice(0, random.between(0, delimiter.length));
}

function concat(...pieces: readonly Uint8Array[]): Bytes {
  return new Uint8Array(pieces.flatMap((piece) => [...piece]));
}

/** Describes a form in one line: its entries, or the complete error. */
export async function describeWhole({ bytes, contentType }: Mutation): Promise<string> {
  return describe(async () => {
    const entries: unknown[] = [];
    for (const [name, value] of readMultipart(bytes, contentType)) {
      entries.push(typeof value === "string" ? [name, value] : [name, await describeFile(value)]);
    }
    return entries;
  });
}

/** Like `describeWhole`, for a form in pieces of one size. */
export async function describePieces(
  { bytes, contentType }: Mutation,
  pieceBytes: number,
): Promise<string> {
  return describe(async () => {
    const entries: unknown[] = [];
    for await (const part of parseMultipart(streamOf(bytes, pieceBytes), contentType)) {
      const { name, filename } = part;
      entries.push([
        name,
        filename === undefined ? await part.text() : await describeFile(await part.file()),
      ]);
    }
    return entries;
  });
}

async function describeFile(file: File): Promise<unknown> {
  return [file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]];
}

async function describe(read: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await read());
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.message}`;
    throw error;
  }
}

/** Describes every mutation of a seed, and notes those that read differently in pieces. */
export async function outcomesOfMutations(seed: number, count: number): Promise<string[]> {
  const random = new Random(seed + 1);
  const outcomes: string[] = [];
  for (const mutation of mutate(seed, count)) {
    const whole = await describeWhole(mutation);
    const pieceBytes = random.between(1, 40);
    const pieces = await describePieces(mutation, pieceBytes);
    outcomes.push(pieces === whole ? whole : `${whole}, in pieces of ${pieceBytes}: ${pieces}`);
  }
  return outcomes;
}

/** Returns the boundary of a mutation, or undefined if it is invalid for every parser. */
export function boundaryOf({ contentType }: Mutation): string | undefined {
  try {
    return parseBoundary(contentType);
  } catch {
    return undefined;
  }
}

/** Describes a form as the reference reads it: its entries, or the status of its error. */
export function describeByReference({ bytes }: Mutation, boundary: string): string {
  try {
    const entries = readByReference(bytes, boundary).map(({ head, content }) => {
      const octets = Buffer.from(content, "latin1");
      if (head.filename !== undefined) return [head.name, [head.filename, head.type, [...octets]]];
      return [head.name, head.decoder.decode(octets)];
    });
    return JSON.stringify(entries);
  } catch (error) {
    if (error instanceof HttpError) return String(error.status);
    throw error;
  }
}

/** Returns a description without the message of an error, as the reference gives it. */
export const withoutMessage = (description: string): string =>
  description.replace(/^(\d{3}) .*/s, "$1");
