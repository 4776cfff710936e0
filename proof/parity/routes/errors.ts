import { HttpError, type RouteFunction, type Router, text, ValidationError } from "espalier";

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

/** Thrown values. */
const thrown: Readonly<Record<string, unknown>> = {
  error: new Error("pw=hunter2"),
  "type-error": new TypeError("pw=hunter2"),
  text: "pw=hunter2",
  number: 404,
  null: null,
  undefined: undefined,
  symbol: Symbol("pw"),
  object: { status: 404, message: "pw=hunter2" },
  cyclic,
  "http-400": new HttpError(400, "The page is not a number."),
  "http-404": new HttpError(404, "Book 7 not found."),
  "http-409": new HttpError(409, "The book is on loan.", {
    headers: { "retry-after": "3600" },
    type: "https://example.com/on-loan",
    title: "On loan",
  }),
  "http-422": new HttpError(422, "Wrong.", { errors: [{ field: "a", message: "is wrong" }] }),
  "http-451": new HttpError(451),
  "http-500": new HttpError(500, "Told on purpose."),
  "http-503": new HttpError(503, "Later.", { cause: new Error("pw=hunter2") }),
  "http-599": new HttpError(599, "Rare."),
  validation: new ValidationError([{ field: "a", message: "a is wrong" }]),
};

const returned: Readonly<Record<string, unknown>> = {
  undefined,
  object: { a: 1 },
  text: "text",
};

/** Registers routes whose handlers fail, synchronously and asynchronously. */
export function addErrors(router: Router): void {
  for (const [name, value] of Object.entries(thrown)) {
    router.get(`/throws/${name}`, () => {
      throw value;
    });
    router.get(`/rejects/${name}`, async () => {
      await Promise.resolve();
      throw value;
    });
  }
  router.get("/throws/response", () => {
    throw text("I am the answer", 202);
  });
  for (const [name, value] of Object.entries(returned)) {
    router.get(`/returns/${name}`, (() => value) as unknown as RouteFunction);
  }
  router.get("/breaks/json", () => text(JSON.stringify(cyclic)));
  router.get("/breaks/header", () => {
    const response = text("x");
    response.headers.set("x-own", "a\nb");
    return response;
  });
  router.get("/breaks/status", () => text("x", 99));
}
