import { readBody, rebuildRequest } from "../../../src/http/body.ts";
import { createCookies } from "../../../src/http/create-cookies.ts";
import { mutableResponse, withoutBody } from "../../../src/http/headers.ts";
import { HttpError } from "../../../src/http/http-error.ts";
import { multipart } from "../../../src/http/multipart/multipart.ts";
import { problemFromError } from "../../../src/http/problem-details.ts";
import { json, redirect } from "../../../src/http/responses.ts";
import { sse } from "../../../src/http/stream-responses.ts";
import { createBodyLimits } from "../../support/body-limits.ts";

/** The subset of the Workers API used here that standard types lack. */
interface Environment {
  readonly SELF: { fetch(url: string, init?: RequestInit): Promise<Response> };
}
declare const WebSocketPair: new () => { 0: unknown; 1: { accept(): void } };

// Small, so that a body over the limit is sent completely before it is rejected: for a large one, workerd closes
// the connection while bytes still arrive, and the reset may overtake the response.
const limits = createBodyLimits({ limitBytes: 128 * 1024, multipartLimitBytes: 20 * 1024 * 1024 });

function isImmutable(response: Response): boolean {
  try {
    response.headers.set("x-probe", "1");
    return false;
  } catch {
    return true;
  }
}

const handlers: Record<string, (request: Request, env: Environment) => Promise<Response>> = {
  async "/origin"() {
    const headers = new Headers([
      ["set-cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT"],
      ["set-cookie", "b=2"],
    ]);
    return new Response("origin", { status: 203, headers });
  },
  async "/decorated"(_request, env) {
    const origin = await env.SELF.fetch("http://x/origin");
    const response = mutableResponse(origin);
    response.headers.set("x-was-immutable", String(isImmutable(origin)));
    response.headers.append("set-cookie", "c=3");
    return response;
  },
  async "/socket"() {
    const pair = new WebSocketPair();
    pair[1].accept();
    const init = { status: 101, webSocket: pair[0] };
    return new Response(null, init);
  },
  async "/decorated-socket"(_request, env) {
    const origin = await env.SELF.fetch("http://x/socket", { headers: { upgrade: "websocket" } });
    const response = mutableResponse(origin);
    response.headers.set("x-was-immutable", String(isImmutable(origin)));
    return response;
  },
  async "/redirect"() {
    const response = redirect("/there");
    response.headers.set("x-late", "1");
    return response;
  },
  async "/problem"() {
    const error = new HttpError(418, "tea");
    const first = problemFromError(error);
    first.headers.set("x-first", "1");
    first.headers.delete("x-content-type-options");
    return problemFromError(error);
  },
  async "/head"() {
    return withoutBody(json({ a: 1 }));
  },
  async "/events"() {
    return sse([{ event: "tick", data: 1 }, "x"]);
  },
  async "/echo"(request) {
    const source = { isFramed: false, isTextFaster: false, parts: { multipart } };
    const { body, rawBody, kind } = await readBody(request, limits, source);
    const again = rawBody && rebuildRequest(request, rawBody);
    const hasFacts = again !== undefined && "cf" in again && again.cf !== undefined;
    return json({ body, kind, hasFacts, text: await again?.text() });
  },
  async "/json-text"(request) {
    const source = { isFramed: true, isTextFaster: true };
    const { body, rawBody } = await readBody(request, limits, source);
    return json({ body, bytes: [...(rawBody ?? [])] });
  },
  async "/files"(request) {
    const server = { isFramed: false, isTextFaster: false, parts: { multipart } };
    const { body } = await readBody(request, limits, server);
    const { f } = body as { f: File[] };
    return json({ names: f.map((file) => file.name), last: await f.at(-1)?.text() });
  },
  async "/signed"() {
    const cookies = createCookies(new Headers());
    const headers = new Headers();
    await cookies.setSigned("sid", "42", "a secret of this test, 32 bytes long");
    cookies.applyTo(headers);
    const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return json(
      await createCookies(new Headers({ cookie })).getSigned(
        "sid",
        "a secret of this test, 32 bytes long",
      ),
    );
  },
};

export default {
  async fetch(request: Request, env: Environment): Promise<Response> {
    try {
      const handler = handlers[new URL(request.url).pathname];
      return handler === undefined ? json(null, 404) : await handler(request, env);
    } catch (error) {
      return problemFromError(
        error instanceof HttpError ? error : new HttpError(500, String(error)),
      );
    }
  },
};
