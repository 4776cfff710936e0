/** The source is not to see all of Node's types; whoever imports this says what is used of it. */
declare module "node:http" {
  export const ServerResponse: unknown;
}
