export { WebSocketConnection } from "./websocket/connection.ts";
export type {
  RoomClient,
  RoomHandle,
  RoomHandlers,
  RoomMember,
  RoomPresence,
  RoomSendOptions,
} from "./websocket/rooms/room-types.ts";
export { Rooms } from "./websocket/rooms/rooms.ts";
export type { RoomsApplication, RoomsOptions } from "./websocket/rooms/rooms-options.ts";
export { upgradeWebSocket } from "./websocket/upgrade-web-socket.ts";
export type {
  WebSocketClose,
  WebSocketHandlers,
  WebSocketOptions,
} from "./websocket/web-socket-handlers.ts";
