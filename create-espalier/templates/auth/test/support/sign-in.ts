import type { Application } from "espalier";

/** Requests a token; default: with the password in `vitest.config.ts`. */
export function signIn(app: Application, password = "a password for the tests"): Promise<Response> {
  return app.request("/sign-in", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "admin", password }),
  });
}

/** Returns the administrator's token. */
export async function adminToken(app: Application): Promise<string> {
  const response = await signIn(app);
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}
