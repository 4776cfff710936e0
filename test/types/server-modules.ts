import { expectTypeOf } from "vitest";
import type { ServerModule } from "../../src/application/server/contract.ts";
import type * as srvx from "../../src/application/server/srvx.ts";
import type * as unavailable from "../../src/application/server/unavailable.ts";

// Whatever `#server` chooses by platform offers the same.
expectTypeOf<typeof srvx>().toExtend<ServerModule>();
expectTypeOf<typeof unavailable>().toExtend<ServerModule>();
