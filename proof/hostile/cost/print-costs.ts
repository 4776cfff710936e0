import { createCostApplication } from "./application.ts";
import { measureCosts } from "./measure.ts";
import { measureGenerated } from "./measure-generated.ts";
import { inProcess } from "./target.ts";

/** Runs on every runtime, in a process of its own, and prints the costs as JSON. */
const { env } = globalThis.process;
const number = (name: string): number => Number(env[name]);
const app = createCostApplication();
await app.boot();
const target = inProcess(app);
const dense = await measureCosts(
  target,
  number("BODIES_OF_EACH"),
  number("BODY_BYTES"),
  number("LIMIT"),
);
const generated = await measureGenerated(
  target,
  number("GENERATED"),
  number("GENERATED_BYTES"),
  number("SEED"),
  number("LIMIT"),
);
console.log(`costs ${JSON.stringify({ dense, generated })}`);
console.log("listening nowhere");
