export { WebSocketConnection } from "./websocket/connection.ts";
export { upgradeWebSocket } from "./websocket/upgrade-web-socket.ts";
export type {
  WebSocketClose,
  WebSocketHandlers,
  WebSocketOptions,
} from "./websocket/web-socket-handlers.ts";
