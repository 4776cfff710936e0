/** The source is not to see all of Node's types; whoever imports these says what is used of them. */
declare module "node:http" {
  export const IncomingMessage: unknown;
  export const ServerResponse: unknown;
  export const createServer: unknown;
}

declare module "node:stream" {
  export const Readable: unknown;
}

declare module "node:buffer" {
  export const Buffer: {
    /** How long a text is in UTF-8. */
    byteLength(text: string): number;
  };
}
