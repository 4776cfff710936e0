/** For servers of Node that are there already. */
export {
  type FetchHandler,
  type NodeHandler,
  type NodeRequest,
  type NodeResponseTarget,
  toNodeHandler,
} from "./application/server/node-handler.ts";
