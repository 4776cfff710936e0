import { createStreaming } from "../../examples/streaming/app.ts";

export default createStreaming().worker();
