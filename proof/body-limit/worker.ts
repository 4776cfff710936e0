import type { ModuleWorker } from "espalier";
import { createLimitedApplication } from "./application.ts";
import { countPulledBytes } from "./count-pulled-bytes.ts";

const app = createLimitedApplication();
const worker = app.worker();

/** `GET /pulled` measures inside the isolate how much is read of endless streams. */
const counting: ModuleWorker = {
  ...worker,
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/pulled") return worker.fetch(request, env, context);
    return Response.json(
      await countPulledBytes((one) => worker.fetch(one, env, context), [undefined]),
    );
  },
};
export default counting;
