import { Miniflare } from "miniflare";
import { bundle } from "../../test/support/bundle.ts";
import { findWorkerd, processorMs } from "../soak/find-workerd.ts";

/** Durations of the evaluation of a Worker's modules, in milliseconds per start. */
export interface Evaluation {
  /** Processor time of workerd, minus that of an empty request. */
  readonly processorMs: readonly number[];
}

/** Imports the application on request, so that only the import is measured. */
const starter = `
export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/empty") return new Response("");
    const { default: worker } = await import("application.js");
    if (pathname === "/evaluate") return new Response("");
    return worker.fetch(request, env, context);
  },
};
`;

/**
 * Evaluates the whole package with 1,000 routes in fresh isolates.
 *
 * @throws if it does not respond afterwards
 */
export async function measureEvaluation(
  compatibilityDate: string,
  starts: number,
): Promise<Evaluation> {
  const { code, wasm } = await bundle("proof/worker-costs/worker.ts", "workerd");
  const modules: Record<string, unknown> = {
    "index.js": { type: "esm", contents: starter },
    "application.js": { type: "esm", contents: code },
  };
  for (const [name, contents] of wasm) modules[name] = { type: "wasm", contents };
  const manifest = { mainModule: "index.js", modulesRoot: "/", modules };
  const config = { name: "worker", compatibilityDate, compatibilityFlags: [], manifest, env: {} };
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    // Miniflare's types require every optional member of a configuration.
    const mf = new Miniflare({ cf: false, workers: [{ config, dev: {} }] } as never);
    try {
      const base = await mf.ready;
      const id = findWorkerd();
      const used = async (path: string): Promise<number> => {
        const before = processorMs(id);
        const response = await fetch(new URL(path, base));
        const text = await response.text();
        if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`);
        return processorMs(id) - before;
      };
      await used("/empty");
      const empty = await used("/empty");
      times.push((await used("/evaluate")) - empty);
      await used("/api/area7/x/kind2");
    } finally {
      await mf.dispose();
    }
  }
  return { processorMs: times.toSorted((a, b) => a - b) };
}
