import lookup from "rou3-lookup";
import module from "../../../router-wasm/pkg/router.wasm";
import type { Command } from "../engine/command.ts";
import { createEngine } from "../engine/engine.ts";
import { espalier } from "../subjects/espalier.ts";
import { peers } from "../subjects/peers.ts";
import { rou3Compiled, rou3Precompiled } from "../subjects/rou3.ts";

/** The worker with the routers. It is timed from outside, because its clock stands still. */
const precompiled = rou3Precompiled(lookup);
const subjects = peers.map((peer) => (peer.name === rou3Compiled.name ? precompiled : peer));
const engine = createEngine([espalier(module), ...subjects]);

export default {
  async fetch(request: Request): Promise<Response> {
    const command = (await request.json()) as Command; // sent by the benchmark itself
    try {
      return Response.json(engine.execute(command));
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return new Response(text, { status: 500 });
    }
  },
};
