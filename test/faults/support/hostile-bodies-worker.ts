import { createHostileBodies } from "./hostile-bodies.ts";

export default createHostileBodies().worker();
