import { expectTypeOf } from "vitest";
import type { ServerModule } from "../../src/application/server/contract.ts";
import type * as processServer from "../../src/application/server/process.ts";
import type * as unavailable from "../../src/application/server/unavailable.ts";

// Whatever `#server` chooses by platform offers the same.
expectTypeOf<typeof processServer>().toExtend<ServerModule>();
expectTypeOf<typeof unavailable>().toExtend<ServerModule>();
