import { Application, HttpError, stream } from "espalier";
import { expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const files = namedBlocks(codeBlocks("docs/guide/sentry.md").filter(isChecked));
const { reportErrors, privacy } = (await importBlocks(files, "sentry.ts")) as {
  reportErrors(app: Application, sentry: object): void;
  privacy: { beforeSend(event: object): unknown };
};

/** An application, and what it reports: pairs of message and context. */
function start() {
  const reports: [message: string, context: unknown][] = [];
  const app = new Application({ logger: createRecordingLogger() });
  const captureException = ({ message }: Error, context: unknown) =>
    reports.push([message, context]);
  reportErrors(app, { captureException });
  return { app, reports };
}

test("an unexpected error is reported once, with route and request id", async () => {
  const { app, reports } = start();
  app.getRouter().get("/books/:id", () => {
    throw new Error("The shelf is broken.");
  });
  const response = await app.request("/books/7", { headers: { "x-request-id": "request-1" } });
  expect(response.status).toBe(500);
  const tags = { request_id: "request-1", method: "GET", route: "/books/:id" };
  expect(reports).toEqual([["The shelf is broken.", { tags }]]);
});

test("an event contains the pattern of the route instead of the request and its path", () => {
  const tags = { request_id: "request-1", method: "GET", route: "/reset/:token" };
  const request = { url: "https://shop.example/reset/secret", headers: { cookie: "a=b" } };
  const event = { message: "broken", transaction: "GET /reset/secret", request, tags };
  const sent = privacy.beforeSend(event);
  expect(sent).toEqual({ message: "broken", transaction: "GET /reset/:token", tags });
  // An error outside of requests.
  expect(privacy.beforeSend({ message: "broken" })).toEqual({ message: "broken" });
});

test("errors of clients are not reported, and a body that fails is", async () => {
  const { app, reports } = start();
  app.getRouter().get("/refused", () => {
    throw new HttpError(409);
  });
  app.getRouter().get("/broken", () =>
    stream(
      (async function* () {
        yield "a";
        throw new Error("The body broke.");
      })(),
    ),
  );
  await app.request("/refused");
  await app.request("/nothing");
  await expect((await app.request("/broken")).text()).rejects.toThrow();
  await expect.poll(() => reports.map(([message]) => message)).toEqual(["The body broke."]);
});

test("a job that used up its attempts is reported, and a reporter that throws changes nothing", async () => {
  const { app, reports } = start();
  app.useInMemoryQueue();
  app.getQueue().process("broken", () => {
    throw new Error("The job broke.");
  });
  await app.boot();
  const id = await app.getQueue().enqueue("broken", {}, { maxAttempts: 1 });
  const tags = { job: "broken", job_id: id, attempts: 1 };
  const fingerprint = ["{{ default }}", "broken"];
  await expect.poll(() => reports).toEqual([["The job broke.", { tags, fingerprint }]]);
  await app.stop();

  const other = new Application({ logger: createRecordingLogger() });
  reportErrors(other, {
    captureException: () => {
      throw new Error("Sentry is down.");
    },
  });
  other.getRouter().get("/", () => {
    throw new Error("broken");
  });
  expect((await other.request("/")).status).toBe(500);
});
