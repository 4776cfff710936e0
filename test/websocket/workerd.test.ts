import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe } from "vitest";
import { startWorkerd } from "../support/workerd.ts";
import { describeSockets } from "./assertions.ts";

describe.each(["2024-01-01", "2026-11-01"])(
  "workerd with compatibility date %s",
  (compatibilityDate) => {
    let mf: Miniflare;
    let base = "";
    beforeAll(async () => {
      mf = await startWorkerd("test/websocket/runtime/worker.ts", { compatibilityDate });
      base = (await mf.ready).href;
    });
    afterAll(() => mf.dispose());
    describeSockets(() => base);
  },
);
