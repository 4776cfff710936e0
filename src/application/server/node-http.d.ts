/** Node's module, as far as it is used here: the source is not to see all of Node's types. */
declare module "node:http" {
  export const ServerResponse: new (
    request: import("./node-upgrade.ts").NodeRequest,
  ) => import("./node-upgrade.ts").NodeResponse;
}
