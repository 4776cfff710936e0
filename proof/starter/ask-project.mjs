import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Checks that a served project has the endpoints of its README, and no others. */
export async function askProject(server, folder, { platform, features }) {
  const has = (feature) => features.includes(feature);
  const ask = (path, init) =>
    fetch(server.url + path, { ...init, signal: AbortSignal.timeout(20_000) });
  const post = (path, body, headers = {}) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  const greeting = await ask("/greetings/Ada?language=fr");
  assert.equal(greeting.status, 200);
  assert.deepEqual(await greeting.json(), { success: true, data: { greeting: "Bonjour, Ada!" } });
  assert.equal((await ask("/greetings/Ada?language=tlh")).status, 422);
  assert.equal((await (await ask("/health")).json()).status, "pass");
  assert.equal((await ask("/nothing-here")).status, 404);

  let authorization = {};
  if (has("auth")) {
    const variables = readVariables(join(folder, platform === "cloudflare" ? ".dev.vars" : ".env"));
    assert.equal((await ask("/me")).status, 401);
    assert.equal((await post("/sign-in", { name: "admin", password: "no" })).status, 401);
    const password = variables.AUTH_ADMIN_PASSWORD;
    const signedIn = await post("/sign-in", { name: "admin", password });
    assert.equal(signedIn.status, 200);
    const { data } = await signedIn.json();
    authorization = { authorization: `Bearer ${data.token}` };
    const me = await ask("/me", { headers: authorization });
    assert.deepEqual(await me.json(), { id: "admin", roles: ["admin"] });
  } else assert.equal((await ask("/me")).status, 404);

  const list = await ask("/greetings");
  if (has("cache")) {
    assert.equal(list.status, 200);
    assert.deepEqual(await (await ask("/greetings")).json(), await list.json());
  } else assert.equal(list.status, has("queue") ? 405 : 404);

  const message = { name: "Ada", email: "ada@example.org" };
  if (has("queue")) {
    if (has("auth")) assert.equal((await post("/greetings", message)).status, 401);
    const sent = await post("/greetings", message, authorization);
    assert.equal(sent.status, 202);
    const { data } = await sent.json();
    await isLogged(server, `"greeting sent","job":"${data.job}"`);
  }

  const description = await ask("/openapi.json");
  assert.equal(description.status, has("openapi") ? 200 : 404);
  assert.equal((await ask("/docs")).status, has("openapi") ? 200 : 404);
  if (!has("openapi")) return;
  const { paths } = await description.json();
  assert.equal("/me" in paths, has("auth"));
  assert.equal("get" in (paths["/greetings"] ?? {}), has("cache"));
  assert.equal("post" in (paths["/greetings"] ?? {}), has("queue"));
}

/** Waits until the job's handler has logged its run. */
async function isLogged(server, text) {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (server.output.includes(text)) return;
    await sleep(100);
  }
  assert.fail(`The job did not run within 15 s:\n${server.output}`);
}

function readVariables(file) {
  const lines = readFileSync(file, "utf8").matchAll(/^(\w+)="(.*)"$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}
