import { createProcessClock, findChildProcess } from "../../support/processor-time.ts";
import type { ApplicationCase } from "../applications.ts";
import { bundle } from "../runtimes/bundle.ts";
import { startMiniflare } from "../runtimes/workerd-session.ts";
import type { StartTimes } from "./start-times.ts";

/** The worker's main module: imports the application on request, so that the import can be timed. */
const starter = `
import input from "benchmark-case";
let create;
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/evaluate") ({ create } = await import("application.js"));
    if (pathname !== "/first") return new Response("");
    const { url } = input.timed[input.timed.length >> 1];
    const ask = await create(input.routes);
    return new Response(await ask(url));
  },
};
`;

/** Bundles an application, and returns a function that starts it in a fresh isolate, timed from outside, by the processor time. */
export async function prepareStartInWorkerd(
  file: string,
): Promise<(input: ApplicationCase) => Promise<StartTimes>> {
  const code = `export { create } from "./start/apps/${file}.ts";`;
  const application = await bundle({ code }, "workerd", { minify: true });
  return async (input) => {
    const miniflare = startMiniflare(
      { ...application, code: starter },
      {
        "application.js": { type: "esm", contents: application.code },
        "benchmark-case": { type: "esm", contents: `export default ${JSON.stringify(input)}` },
      },
    );
    try {
      await miniflare.ready;
      const now = createProcessClock(findChildProcess("workerd"));
      const send = async (path: string) => {
        const start = now();
        const response = await miniflare.dispatchFetch(`http://localhost${path}`);
        const text = await response.text();
        if (!response.ok) throw new Error(text);
        return { text, elapsedMs: now() - start };
      };
      let emptyMs = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 30; i++) emptyMs = Math.min(emptyMs, (await send("/")).elapsedMs);
      const evaluation = await send("/evaluate");
      const first = await send("/first");
      const { body } = input.timed[input.timed.length >> 1]?.expected ?? {};
      if (first.text !== body) throw new Error(`It answered ${first.text}`);
      return {
        evaluationMs: Math.max(0, evaluation.elapsedMs - emptyMs),
        firstMs: Math.max(0, first.elapsedMs - emptyMs),
      };
    } finally {
      await miniflare.dispose();
    }
  };
}
