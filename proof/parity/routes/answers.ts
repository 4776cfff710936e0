import {
  created,
  error,
  file,
  html,
  json,
  noContent,
  type RouteFunction,
  type Router,
  redirect,
  sse,
  stream,
  success,
  text,
  validationError,
} from "espalier";

async function* letters(): AsyncGenerator<string | Uint8Array> {
  yield "one,";
  await Promise.resolve();
  yield new TextEncoder().encode("zwö,");
  yield "three";
}

async function* ticks() {
  yield { event: "tick", id: "1", data: "first\nsecond" };
  yield "plain";
  yield { data: JSON.stringify({ a: "ü" }) };
}

const bytes = new Uint8Array([0, 255, 128, 10, 13, 0]);
const withHeaders = (headers: Record<string, string>): Response =>
  new Response("own", { status: 203, headers });

const answers: Readonly<Record<string, RouteFunction>> = {
  text: () => text("ü & <b>"),
  "text-empty": () => text(""),
  html: () => html("<p>ü</p>"),
  json: () => json({ a: [1, null, "ü", true], date: new Date(0), gone: undefined }),
  "json-null": () => json(null),
  "json-undefined": () => json(undefined),
  "json-text": () => json('quote " and \u2028'),
  "json-201": () => json({ made: true }, 201),
  success: () => success({ id: 1 }),
  "success-nothing": () => success(),
  created: () => created({ id: 1 }, "/users/1"),
  "no-content": () => noContent(),
  "json-204": () => json({ a: 1 }, 204),
  "text-205": () => text("x", 205),
  "text-304": () => text("x", 304),
  error: () => error("It is taken.", 409, [{ field: "name", message: "taken" }]),
  "error-default": () => error("No."),
  invalid: () => validationError([{ field: "a", message: "a is wrong" }]),
  teapot: () => text("short and stout", 418),
  "status-599": () => text("rare", 599),
  redirect: () => redirect("/users/1?a=b#c"),
  "redirect-301": () => redirect("https://example.com/x", 301),
  "redirect-303": () => redirect("/日本", 303),
  "redirect-308": () => redirect(new URL("https://example.com/y"), 308),
  "redirect-native": () => Response.redirect("https://example.com/z", 307),
  "redirect-bad": () => redirect("//evil.example"),
  "redirect-script": () => redirect("javascript:alert(1)"),
  stream: () => stream(letters(), { type: "text/csv; charset=utf-8" }),
  "stream-plain": () => stream(letters()),
  "stream-status": () => stream(letters(), { status: 202 }),
  "stream-readable": () => stream(new Blob(["readable"]).stream()),
  sse: () => sse(ticks()),
  "sse-retry": () => sse(["a"], { retryMs: 2_000 }),
  "sse-empty": () => sse([]),
  file: () => file(bytes, { name: "data.bin" }),
  "file-inline": () => file("a,b", { name: "a.csv", type: "text/csv", inline: true }),
  "file-name": () => file("x", { name: '報告 "№1".pdf' }),
  "file-blob": () => file(new File(["blob"], "blob.txt", { type: "text/plain" })),
  "own-headers": () =>
    withHeaders({ "x-own": "a, b", "cache-control": "no-store", vary: "Accept" }),
  "own-type": () => withHeaders({ "content-type": "application/yaml" }),
  "own-none": () => new Response(null),
  bytes: () => new Response(bytes, { headers: { "content-type": "application/octet-stream" } }),
  large: () => text("x".repeat(200_000)),
};

/** Registers routes with responses of every helper, native responses, and streams. */
export function addAnswers(router: Router): void {
  for (const [name, answer] of Object.entries(answers)) router.get(`/answers/${name}`, answer);
}
