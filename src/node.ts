/** For servers of Node that are there already. */
export {
  type ContinuableResponse,
  type ContinuingServer,
  continueInOrder,
} from "./application/server/node-continue.ts";
export {
  type FetchHandler,
  type NodeHandler,
  type NodeRequest,
  type NodeResponseTarget,
  toNodeHandler,
} from "./application/server/node-handler.ts";
