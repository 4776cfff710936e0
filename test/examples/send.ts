/** Sends a request to the application under test, without following redirects. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Returns a sender over HTTP to a server. */
export function sendTo(base: () => string): Send {
  return (path, init) =>
    fetch(`${base().replace(/\/$/, "")}${path}`, { redirect: "manual", ...init });
}

/** Adds a token, unless the request has an `Authorization` header. */
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

/** Returns the `data` of a success envelope; throws for any other response. */
export async function dataOf<Data>(response: Response): Promise<Data> {
  const text = await response.text();
  const { success, data } = JSON.parse(text) as { success: boolean; data: Data };
  if (!success) throw new Error(`not a success envelope: ${response.status} ${text}`);
  return data;
}

/** Returns status and detail of a Problem Details response. */
export async function problemOf(response: Response): Promise<readonly [number, unknown]> {
  const type = response.headers.get("content-type");
  if (type !== "application/problem+json") throw new Error(`${response.status} is ${type}`);
  const { status, detail } = (await response.json()) as { status: number; detail: unknown };
  return [status, detail];
}

/** Returns status, fields and messages of a failed validation. */
export async function errorsOf(response: Response): Promise<readonly [number, unknown]> {
  const { errors = [] } = (await response.json()) as {
    errors?: readonly { field: string; message: string }[];
  };
  return [response.status, Object.fromEntries(errors.map((error) => [error.field, error.message]))];
}
