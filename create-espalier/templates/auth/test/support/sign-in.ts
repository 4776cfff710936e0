import type { Application } from "espalier";

/** Asks for a token, with the password of the tests (`vitest.config.ts`) or another. */
export function signIn(app: Application, password = "a password for the tests"): Promise<Response> {
  return app.request("/sign-in", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "admin", password }),
  });
}

/** The administrator's token. */
export async function adminToken(app: Application): Promise<string> {
  const response = await signIn(app);
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}
