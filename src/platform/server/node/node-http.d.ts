/** Keeps Node's types out of the source: each importer declares the members that it uses. */
declare module "node:http" {
  export const IncomingMessage: unknown;
  export const ServerResponse: unknown;
  export const createServer: unknown;
}

declare module "node:net" {
  export const Server: unknown;
}

declare module "node:stream" {
  export const Readable: unknown;
}

declare module "node:buffer" {
  export const Buffer: {
    /** Returns the length of a string in UTF-8. */
    byteLength(text: string): number;
  };
}

declare module "node:timers" {
  export function setImmediate(callback: () => void): object;
  export function clearImmediate(immediate: object): void;
}
