import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { ByteRange } from "../../http/byte-range.ts";

/** An open file or directory below the root; must be closed unless its content is read. */
export interface OpenFile {
  readonly isDirectory: boolean;
  readonly size: number;
  readonly modifiedAt: Date;
  /** Entity tag of size and time of the last change. */
  readonly etag: string;
  /** Returns the content, or a part of it, and closes the file when it has been read or cancelled. */
  read(range: ByteRange | undefined): ReadableStream<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Bytes per read of the disk. */
const chunkBytes = 128 * 1024;

/** Errors of a path that does not exist: also one below a file, and names that the system cannot have. */
const missing: ReadonlySet<unknown> = new Set([
  ...["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL", "EACCES", "EPERM", "EISDIR", "ENXIO"],
]);

/**
 * Opens a file below a root; undefined if it does not exist by exactly this name, is neither file nor directory, or a
 * symbolic link leads outside of the root or to a hidden file.
 *
 * @param segments of the path, already checked: none is `..` or has a separator
 */
export async function openBelow(
  root: string,
  segments: readonly string[],
): Promise<OpenFile | undefined> {
  try {
    const [realRoot, path] = await Promise.all([realpath(root), realpath(join(root, ...segments))]);
    const inner = relative(realRoot, path);
    if (!isShown(inner) || isOtherSpelling(inner.split(sep), segments)) return undefined;
    return await openAt(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && missing.has(error.code)) return undefined;
    throw error;
  }
}

/** @param inner path below the root */
function isShown(inner: string): boolean {
  // Another drive of Windows is absolute.
  if (inner.includes(":")) return false;
  return inner === "" || inner.split(sep).every((segment) => !segment.startsWith("."));
}

/**
 * Returns whether a path is found by another spelling than its own: file systems of macOS and Windows ignore case, and
 * Windows ignores dots and blanks at the end of a name. The router compares exactly, so that such a spelling would lead
 * past the guards of more specific routes.
 */
function isOtherSpelling(found: readonly string[], requested: readonly string[]): boolean {
  const isEqual = found.join("/") === requested.join("/");
  return !isEqual && found.map(folded).join("/") === requested.map(folded).join("/");
}

function folded(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}

async function openAt(path: string): Promise<OpenFile | undefined> {
  // Opening a pipe would wait until another process writes to it.
  const found = await stat(path);
  if (!found.isFile() && !found.isDirectory()) return undefined;
  const handle = await open(path, "r");
  try {
    // Of the open file: another may have taken its name meanwhile.
    const stats = await handle.stat({ bigint: true });
    const size = Number(stats.size);
    return {
      isDirectory: stats.isDirectory(),
      size,
      modifiedAt: new Date(Number(stats.mtimeMs)),
      etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
      read: ({ offset, length } = { offset: 0, length: size }) =>
        readPart(handle, offset, offset + length),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function readPart(
  handle: FileHandle,
  start: number,
  end: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = new Uint8Array(Math.min(chunkBytes, end - position));
        try {
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
          if (bytesRead === 0 && position < end) {
            throw new Error("The file became shorter while it was sent.");
          }
          position += bytesRead;
          if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
          if (position < end) return;
        } catch (error) {
          await handle.close();
          throw error;
        }
        await handle.close();
        controller.close();
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}
