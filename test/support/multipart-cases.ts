import { HttpError } from "../../src/http/http-error.ts";
import type { MultipartLimits } from "../../src/http/multipart/limits.ts";
import { parseMultipart } from "../../src/http/multipart/parse-multipart.ts";
import { readMultipart } from "../../src/http/multipart/read-multipart.ts";
import table from "../tables/multipart.json" with { type: "json" };

type Bytes = Uint8Array<ArrayBuffer>;

/** An entry in the table. Contents that are not UTF-8 are in base64. */
type EntryValue = string | { filename: string; type: string; content: string };
type Entries = readonly (readonly [name: string, value: EntryValue])[];

/** Entries of a form, or its error. */
export type Outcome = { readonly entries: Entries } | { readonly status: number };

export interface MultipartCase {
  readonly id: string;
  readonly contentType: string;
  readonly bytes: Bytes;
  readonly expected: Outcome;
}

interface CaseRow {
  readonly id: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly status?: number;
  readonly entries?: readonly (readonly [name: string, value: string | FileRow])[];
}

interface FileRow {
  readonly filename: string;
  readonly type: string;
  readonly content?: string;
  readonly contentBase64?: string;
}

export const toBytes = (text: string): Bytes => new TextEncoder().encode(text);

// Unchecked cast: a wrong field of the table results in a failing row.
export const multipartCases: readonly MultipartCase[] = (table.cases as unknown as CaseRow[]).map(
  ({ id, contentType = table.contentType, body, bodyBase64, status, entries = [] }) => ({
    id,
    contentType,
    bytes: bytesOf(body, bodyBase64),
    expected: status === undefined ? { entries: entries.map(normaliseEntry) } : { status },
  }),
);

function normaliseEntry([name, value]: readonly [string, string | FileRow]): [string, EntryValue] {
  if (typeof value === "string") return [name, value];
  const { filename, type, content, contentBase64 } = value;
  return [name, { filename, type, content: toBinary(bytesOf(content, contentBase64)) }];
}

function bytesOf(text: string | undefined, base64: string | undefined): Bytes {
  if (text !== undefined) return toBytes(text);
  return Uint8Array.from(atob(base64 ?? ""), (character) => character.charCodeAt(0));
}

/** Decodes one character per byte. */
function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Reads a complete form. */
export async function readWhole(
  bytes: Bytes,
  contentType: string,
  limits?: MultipartLimits,
): Promise<Outcome> {
  return outcomeOf(async () => {
    const entries: [string, EntryValue][] = [];
    for (const [name, value] of readMultipart(bytes, contentType, limits)) {
      entries.push([name, typeof value === "string" ? value : await describeFile(value)]);
    }
    return entries;
  });
}

/** Reads a form in pieces of one size. */
export async function readInPieces(
  bytes: Bytes,
  contentType: string,
  pieceBytes: number,
  limits?: MultipartLimits,
): Promise<Outcome> {
  return outcomeOf(async () => {
    const entries: [string, EntryValue][] = [];
    for await (const part of parseMultipart(streamOf(bytes, pieceBytes), contentType, limits)) {
      const value =
        part.filename === undefined ? await part.text() : await describeFile(await part.file());
      entries.push([part.name, value]);
    }
    return entries;
  });
}

async function describeFile(file: File): Promise<EntryValue> {
  const content = toBinary(new Uint8Array(await file.arrayBuffer()));
  return { filename: file.name, type: file.type, content };
}

async function outcomeOf(read: () => Promise<Entries>): Promise<Outcome> {
  try {
    return { entries: await read() };
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status };
    throw error;
  }
}

/** Creates a stream of copies of the bytes in pieces of one size. */
export function streamOf(bytes: Uint8Array, pieceBytes: number): ReadableStream<Bytes> {
  let offset = 0;
  return new ReadableStream<Bytes>({
    pull(controller) {
      if (offset >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(new Uint8Array(bytes.subarray(offset, offset + pieceBytes)));
      offset += pieceBytes;
    },
  });
}
