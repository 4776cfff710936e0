/** For servers of Node that are there already. */

/** Files of the disk, on Node, Deno and Bun. */
export { type StaticFilesOptions, staticFiles } from "./platform/files/static-files.ts";
export {
  type ContinuableResponse,
  type ContinuingServer,
  handleExpectContinue,
} from "./platform/server/node/node-continue.ts";
export {
  type FetchHandler,
  type NodeHandler,
  type NodeRequest,
  type NodeResponseTarget,
  toNodeHandler,
} from "./platform/server/node/node-handler.ts";
