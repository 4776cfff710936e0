import { createStreaming } from "./app.ts";

export default createStreaming().worker();
