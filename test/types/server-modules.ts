import { expectTypeOf } from "vitest";
import type { ServerModule } from "../../src/platform/server/contract.ts";
import type * as processServer from "../../src/platform/server/process.ts";
import type * as unavailable from "../../src/platform/server/unavailable.ts";

// Whatever `#server` chooses by platform offers the same.
expectTypeOf<typeof processServer>().toExtend<ServerModule>();
expectTypeOf<typeof unavailable>().toExtend<ServerModule>();
