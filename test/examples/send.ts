/** Sends a request to the application under test, wherever it runs, and follows no redirect. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends over HTTP to a server. */
export function sendTo(base: () => string): Send {
  return (path, init) =>
    fetch(`${base().replace(/\/$/, "")}${path}`, { redirect: "manual", ...init });
}

/** Sends with a token, unless the request brings an `Authorization` of its own. */
export function sendAs(send: Send, token: string): Send {
  return (path, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    return send(path, { ...init, headers });
  };
}

export function withJson(method: string, body: unknown): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method, headers, body: JSON.stringify(body) };
}

/** The `data` of the envelope of a successful answer; anything else fails the test. */
export async function dataOf<Data>(response: Response): Promise<Data> {
  const { success, data } = (await response.json()) as { success: boolean; data: Data };
  if (!success) throw new Error("the answer is no success");
  return data;
}

/** Status and detail of a Problem Details. */
export async function problemOf(response: Response): Promise<readonly [number, unknown]> {
  const type = response.headers.get("content-type");
  if (type !== "application/problem+json") throw new Error(`${response.status} is ${type}`);
  const { status, detail } = (await response.json()) as { status: number; detail: unknown };
  return [status, detail];
}

/** The fields and messages of a failed validation. */
export async function errorsOf(response: Response): Promise<readonly [number, unknown]> {
  const { errors = [] } = (await response.json()) as {
    errors?: readonly { field: string; message: string }[];
  };
  return [response.status, Object.fromEntries(errors.map((error) => [error.field, error.message]))];
}
