import { Application, type ModuleWorker, text } from "espalier";

const bootTimeoutMs = 500;

/** An application whose hook hangs in its first call. */
function createApp(name: string): Application {
  const app = new Application({ bootTimeoutMs });
  let calls = 0;
  app.registerPlugin({
    name,
    boot: () => {
      calls += 1;
      return calls === 1 ? new Promise<void>(() => {}) : undefined;
    },
  });
  app.getRouter().get("/*path", () => text(`calls: ${calls}`));
  return app;
}

const atRequest = createApp("at-request").worker();

// Begun while the module is evaluated, where workerd refuses timers.
const atEvaluation = createApp("at-evaluation");
atEvaluation.boot().catch(() => {});

const booted = new Application();
booted.registerPlugin({ name: "quick", async boot() {} });
booted.getRouter().get("/*path", () => text("booted"));
await booted.boot();

const workers: Readonly<Record<string, ModuleWorker>> = {
  "/at-request": atRequest,
  "/at-evaluation": atEvaluation.worker(),
  "/booted": booted.worker(),
};

export default {
  async fetch(request: Request, env: unknown, executionContext: unknown): Promise<Response> {
    const worker = workers[new URL(request.url).pathname];
    return (await worker?.fetch(request, env, executionContext)) ?? text("unknown", 404);
  },
};
