import type { Exchange } from "../applications.ts";
import type { Handler } from "../subjects/subject.ts";

/** Creates the request of an exchange: a new one each time, as a server does. */
export function createRequest({ url, method, headers, body, cf }: Exchange): Request {
  const init: RequestInit & { cf?: object } = { method, headers };
  if (body !== undefined) init.body = body;
  if (cf !== undefined) init.cf = cf;
  return new Request(url, init);
}

/** Returns the problem of a handler's response; undefined if it is correct. */
export async function checkAnswer(
  handler: Handler,
  exchange: Exchange,
): Promise<string | undefined> {
  const asked = `${exchange.method} ${exchange.url}`;
  const { statuses, body, headers } = exchange.expected;
  try {
    const response = await handler(createRequest(exchange));
    const text = await response.text();
    if (!statuses.includes(response.status)) return `${asked}: status ${response.status}: ${text}`;
    if (body !== undefined && text !== body) return `${asked}: body ${text}`;
    for (const [name, value] of Object.entries(headers)) {
      const found = response.headers.get(name);
      if (found !== value) return `${asked}: header ${name} is ${found}`;
    }
    return undefined;
  } catch (error) {
    return `${asked}: ${error instanceof Error ? error.stack : String(error)}`;
  }
}
