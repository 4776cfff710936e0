import { createPausingStreams } from "./held-back.ts";

export default createPausingStreams().worker();
