import { createFailingBodies } from "./failing-bodies.ts";

export default createFailingBodies().worker();
