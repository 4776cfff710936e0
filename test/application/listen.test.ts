import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Application, json, stream, text } from "espalier";
import { afterEach, describe, expect, test } from "vitest";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const running: Application[] = [];

function createApp(): Application {
  const app = new Application({ host: "127.0.0.1", logger: createRecordingLogger() });
  running.push(app);
  return app;
}

const listen = (app: Application) => app.listen({ port: 0, gracefulSignals: false });

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
});

describe("listen", () => {
  test("resolves with the address once the port is bound; port 0 picks a free one", async () => {
    const app = createApp();
    app.getRouter().get("/", () => text("hello"));
    const address = await listen(app);
    expect(address.port).toBeGreaterThan(0);
    expect(address.url).toBe(`http://127.0.0.1:${address.port}/`);
    expect(await (await fetch(address.url)).text()).toBe("hello");
  });

  test("accepts the port as number and string, and a host", async () => {
    const app = createApp();
    const first = await listen(app);
    await app.stop();
    const second = await app.listen(first.port, "127.0.0.1");
    expect(second.port).toBe(first.port);
  });

  test("a port in use rejects, and another call may succeed", async () => {
    const first = await listen(createApp());
    const app = createApp();
    await expect(app.listen({ port: first.port, gracefulSignals: false })).rejects.toMatchObject({
      code: "ERR_APPLICATION_PORT_IN_USE",
      message: expect.stringContaining(`Port ${first.port} of 127.0.0.1 is already in use.`),
      cause: { code: "EADDRINUSE" },
    });
    expect((await listen(app)).port).toBeGreaterThan(0);
  });

  test("an unknown option is rejected before anything listens", async () => {
    const app = createApp();
    const options = { port: 0, hostname: "127.0.0.1", gracefulSignals: false };
    await expect(app.listen(options)).rejects.toMatchObject({
      code: "ERR_APPLICATION_BAD_OPTION",
      message: expect.stringContaining('listen(): unknown option "hostname".'),
    });
    await expect(listen(app)).resolves.toHaveProperty("port");
  });

  test("other listen errors are those of the system", async () => {
    const given = { port: 0, host: "203.0.113.1", gracefulSignals: false };
    await expect(createApp().listen(given)).rejects.toMatchObject({ code: "EADDRNOTAVAIL" });
  });

  test("a second listen is an error", async () => {
    const app = createApp();
    const { url } = await listen(app);
    await expect(listen(app)).rejects.toThrow(`The application is already listening on ${url}.`);
  });

  test("rejects with boot errors", async () => {
    const app = createApp();
    app.getRouter().get("/", () => text(""), { middleware: ["missing"] });
    await expect(listen(app)).rejects.toThrow('names the middleware "missing"');
  });

  test("ctx.ip is the address of the socket, whatever headers a client sends", async () => {
    const app = createApp();
    app.getRouter().get("/", (ctx) => text(String(ctx.ip)));
    const { url } = await listen(app);
    const headers = {
      "x-forwarded-for": "1.2.3.4",
      "cf-connecting-ip": "1.2.3.4",
      "x-real-ip": "1.2.3.4",
    };
    expect(await (await fetch(url, { headers })).text()).toBe("127.0.0.1");
  });
});

describe("the Host header", () => {
  test.each([
    ["a/../b?", 400],
    ["a#b", 400],
    ["user@evil", 400],
    ["localhost:3000/abc?", 400],
    ["a b", 400],
    ["", 400],
    ["localhost", 200],
    ["my_service:8080", 200],
    ["[::1]:80", 200],
    ["xn--bcher-kva.example", 200],
  ])("%j answers %i", async (host, status) => {
    const app = createApp();
    app.getRouter().get("/admin", () => text("reached"));
    const { port } = await listen(app);
    const response = await exchange(
      port,
      `GET /admin HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusOf(response)).toBe(status);
  });

  test("a missing and a duplicate one are rejected", async () => {
    const app = createApp();
    app.getRouter().get("/admin", () => text("reached"));
    const { port } = await listen(app);
    const head = "GET /admin HTTP/1.1\r\nConnection: close\r\n";
    expect(statusOf(await exchange(port, `${head}\r\n`))).toBe(400);
    expect(statusOf(await exchange(port, `${head}Host: a\r\nHost: b\r\n\r\n`))).toBe(400);
  });

  test("an absolute-form target reaches the same route and its middleware", async () => {
    const app = createApp();
    app.middleware("auth", () => text("no", 401));
    app.getRouter().get("/admin", () => text("reached"), { middleware: ["auth"] });
    const { port } = await listen(app);
    const response = await exchange(
      port,
      "GET http://evil.example/admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(statusOf(response)).toBe(401);
  });
});

describe("more headers than Node keeps", () => {
  const thousand = "a:b\r\n".repeat(1000);
  const createTarget = async (): Promise<number> => {
    const app = new Application({ trustProxy: 1, logger: createRecordingLogger() });
    running.push(app);
    app.getRouter().get("/ip", (ctx) => text(String(ctx.ip)));
    app.getRouter().post("/", () => text("reached"));
    app.getRouter().get("/smuggled", () => text("smuggled"));
    return (await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false })).port;
  };

  test("a thousand are read completely", async () => {
    const head = "GET /ip HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: 6.6.6.6\r\n";
    const others = "a:b\r\n".repeat(996);
    const response = await exchange(
      await createTarget(),
      `${head}${others}X-Forwarded-For: 1.1.1.1\r\n\r\n`,
    );
    expect(statusOf(response)).toBe(200);
    expect(response).toMatch(/\r\n1\.1\.1\.1\r\n/);
  });

  test.each([
    ["what a proxy adds at the end", "X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 1.1.1.1"],
    ["a second Host", "X-A: b", "Host: evil.example"],
  ])("%s after them is not dropped: 431", async (_what, first, last) => {
    const response = await exchange(
      await createTarget(),
      `GET /ip HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${first}\r\n${thousand}${last}\r\n\r\n`,
    );
    expect(statusOf(response)).toBe(431);
    expect(response).toContain("application/problem+json");
  });

  test("a body is not served as a request if its length comes after them", async () => {
    const body = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    const upgrade = "Connection: upgrade\r\nUpgrade: h2c\r\n";
    const response = await exchange(
      await createTarget(),
      `POST / HTTP/1.1\r\nHost: a\r\n${upgrade}${thousand}Content-Length: ${body.length}\r\n\r\n${body}` +
        "GET /ip HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(response.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 431", "HTTP/1.1 200"]);
    expect(response).not.toContain("smuggled");
  });
});

describe("streams", () => {
  test("a response is sent while it is produced", async () => {
    const app = createApp();
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.getRouter().get("/", () => {
      const readable = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode("first"));
          await gate;
          controller.enqueue(new TextEncoder().encode("second"));
          controller.close();
        },
      });
      return stream(readable, { type: "text/plain" });
    });
    const { url } = await listen(app);
    const reader = (await fetch(url)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
    release();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("second");
  });

  test("a request body is streamed if the route does not parse it", async () => {
    const app = createApp();
    app.getRouter().post(
      "/",
      async (ctx) => {
        let bytes = 0;
        for await (const chunk of ctx.request.body ?? []) bytes += chunk.length;
        return json({ bytes });
      },
      { bodyParser: false },
    );
    const { url } = await listen(app);
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 100; i++) controller.enqueue(new Uint8Array(65_536));
        controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect(await (await fetch(url, init)).json()).toEqual({ bytes: 6_553_600 });
  });

  test("a disconnect aborts the request's signal", async () => {
    const app = createApp();
    const aborted = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    app.getRouter().get("/", async (ctx) => {
      ctx.request.signal.addEventListener("abort", () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      return text("the client has disconnected");
    });
    const { url } = await listen(app);
    const controller = new AbortController();
    const pending = fetch(url, { signal: controller.signal }).catch(() => "gone");
    await started.promise;
    controller.abort();
    expect(await pending).toBe("gone");
    await aborted.promise;
  });
});

describe("a body over the limit", () => {
  const post = (size: number): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "x".repeat(size),
  });

  test("gets a 413 while it is still being sent, and the connection stays usable", async () => {
    const app = createApp();
    let calls = 0;
    app.getRouter().post("/", () => text(String(++calls)));
    app.getRouter().get("/", () => text("next"));
    const { url } = await listen(app);
    for (const megabytes of [1.5, 5, 20]) {
      for (let round = 0; round < 5; round++) {
        expect((await fetch(url, post(megabytes * 1024 * 1024))).status).toBe(413);
        expect(await (await fetch(url)).text()).toBe("next");
      }
    }
    expect(calls).toBe(0);
  });

  test("does not desynchronise later requests on the same connection", async () => {
    const app = createApp();
    app.getRouter().post("/", () => text("never"));
    app.getRouter().get("/next", () => text("the next answer"));
    const { port } = await listen(app);
    const size = 3 * 1024 * 1024;
    const first = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
    const second = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const response = await exchange(
      port,
      first + "GET /smuggled ".repeat(size / 14 + 1).slice(0, size) + second,
    );
    expect(response.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
    expect(response).toContain("the next answer");
  });

  test("an unread body does not block the next request", async () => {
    const app = createApp();
    app
      .getRouter()
      .post("/", (ctx) => text(String(ctx.request.body !== null)), { bodyParser: false });
    app.getRouter().get("/next", () => text("the next answer"));
    const { port } = await listen(app);
    const first = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n${"x".repeat(500_000)}`;
    const second = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expect(await exchange(port, first + second)).toContain("the next answer");
  });
});

describe("headers on the wire", () => {
  test("every Set-Cookie has a separate line", async () => {
    const app = createApp();
    app.getRouter().get("/", (ctx) => {
      ctx.cookies.set("c", "3");
      const response = text("x");
      response.headers.append("set-cookie", "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT");
      response.headers.append("set-cookie", "b=2");
      return response;
    });
    const { port } = await listen(app);
    const response = await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(response.match(/^set-cookie:.*$/gim)).toHaveLength(3);
  });

  test("Content-Length matches a body replaced by afterHandle", async () => {
    const app = createApp();
    app.use(async (_ctx, next) => {
      const response = await next();
      return new Response("a much longer body", {
        status: response.status,
        headers: response.headers,
      });
    });
    app.getRouter().get("/", () => text("x"));
    const { port } = await listen(app);
    const response = await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(response.match(/^content-length:/gim)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(response).toContain("a much longer body");
  });
});

describe("stop", () => {
  test("before listen and twice are no-ops", async () => {
    const app = createApp();
    await app.stop();
    await listen(app);
    await Promise.all([app.stop(), app.stop()]);
    await app.stop();
  });

  test("requests in flight are completed, idle connections closed, new ones refused", async () => {
    const app = createApp();
    app.getRouter().get("/slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return text("whole");
    });
    app.getRouter().get("/fast", () => text("fast"));
    const { port } = await listen(app);
    const agent = new Agent({ keepAlive: true });
    const get = (path: string) =>
      new Promise<string>((resolve, reject) => {
        httpRequest({ port, host: "127.0.0.1", path, agent }, (response) => {
          response.setEncoding("utf8");
          let body = "";
          response.on("data", (chunk) => {
            body += chunk;
          });
          response.on("end", () => resolve(body));
        })
          .on("error", reject)
          .end();
      });
    await Promise.all(Array.from({ length: 20 }, () => get("/fast")));
    const inFlight = Array.from({ length: 20 }, () => get("/slow"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = app.stop();
    expect(await Promise.all(inFlight)).toEqual(Array.from({ length: 20 }, () => "whole"));
    await stopped;
    agent.destroy();
    const refused = await new Promise<unknown>((resolve) => {
      connect(port, "127.0.0.1")
        .on("error", resolve)
        .on("connect", () => resolve("connected"));
    });
    expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  });
});
