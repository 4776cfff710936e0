/** Keeps Node's types out of the source: the members that files use. */
declare module "node:fs/promises" {
  interface FileKind {
    isFile(): boolean;
    isDirectory(): boolean;
  }
  interface FileStats extends FileKind {
    readonly size: bigint;
    readonly mtimeMs: bigint;
    readonly mtimeNs: bigint;
  }
  interface FileHandle {
    stat(options: { readonly bigint: true }): Promise<FileStats>;
    read(
      buffer: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): Promise<{ readonly bytesRead: number }>;
    close(): Promise<void>;
  }
  function open(path: string, flags: "r"): Promise<FileHandle>;
  function realpath(path: string): Promise<string>;
  function stat(path: string): Promise<FileKind>;
}

declare module "node:path" {
  const sep: string;
  function join(...parts: string[]): string;
  function relative(from: string, to: string): string;
}

declare module "node:url" {
  function fileURLToPath(url: URL): string;
}
