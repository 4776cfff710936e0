import { measureCosts } from "./measure.ts";

/** Runs on every runtime, in a process of its own, and prints the costs as JSON. */
const { env } = globalThis.process;
const costs = await measureCosts(Number(env["BODIES_OF_EACH"]), Number(env["BODY_BYTES"]));
console.log(`costs ${JSON.stringify(costs)}`);
console.log("listening nowhere");
