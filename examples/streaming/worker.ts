import { createStreaming } from "./app.ts";

export default createStreaming().worker();
export { ChatRoom } from "./chat-room.ts";
