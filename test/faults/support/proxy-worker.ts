import { createProxy } from "./proxy.ts";

export default createProxy().worker();
