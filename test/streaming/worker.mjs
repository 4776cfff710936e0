import { createStreaming } from "../../examples/streaming/app.ts";

export default createStreaming().worker();
export { ChatRoom } from "../../examples/streaming/chat-room.ts";
