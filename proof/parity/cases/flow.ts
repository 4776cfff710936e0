import { asked, type ParityCase } from "../case.ts";

export const flowCases: readonly ParityCase[] = [
  asked("middleware of groups and route, in and out", 200, "/flow/inner"),
  asked("middleware in every spelling of the path", 200, "/%66low/inner/"),
  asked("middleware that answers", 403, "/flow/inner/stopped"),
  asked("middleware around an error", 500, "/flow/inner/throws"),
  asked("words behind a colon", 200, "/flow/words"),
  asked("hooks as middleware", 200, "/flow/hooks"),
  asked("next called twice", 500, "/flow/twice"),
  asked("an answer that is exchanged", 203, "/flow/exchanged"),
  asked("no group middleware beside the group", 404, "/flow/nowhere"),
  asked("a controller's hooks", 200, "/flow/hooked"),
  asked("beforeHandle answers", 403, "/flow/hooked?stop=before"),
  asked("beforeHandle throws", 500, "/flow/hooked?stop=throw"),
  asked("afterHandle exchanges", 202, "/flow/hooked?stop=after"),
  asked("validation before the hooks", 422, "/flow/hooked?stop=before&wrong=x"),
  asked("HEAD through the hooks", 200, "/flow/hooked", { method: "HEAD" }),
];
