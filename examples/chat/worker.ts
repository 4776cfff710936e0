import { RoomDurableObject } from "espalier/cloudflare";
import { createChat } from "./app.ts";
import { chat, type Guest } from "./chat.ts";

/** One room, whose guests stay connected while it hibernates. */
export class ChatRoom extends RoomDurableObject<Guest> {
  override readonly handlers = chat;
}

export default createChat().worker();
