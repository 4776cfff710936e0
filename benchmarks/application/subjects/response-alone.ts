import type { ApplicationCase } from "../applications.ts";
import { espalier } from "./espalier.ts";
import { type Handler, responseAloneName, type Subject } from "./subject.ts";

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/**
 * No framework, but exactly the response of Espalier, with its headers: the part of its time that the
 * response takes. `bare` may have fewer headers and a shorter body.
 */
export const responseAlone: Subject = { name: responseAloneName, isFixed: true, create };

function create(input: ApplicationCase): Handler {
  const fetch = espalier.create(input);
  const readsBody = input.application === "echo";
  let answer: Answer | undefined;
  const learn = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    // The platform sets Content-Length itself.
    const headers = [...response.headers].filter(([name]) => name !== "content-length");
    answer = { status: response.status, headers, body: await response.text() };
    return build(answer);
  };
  const read = async (request: Request): Promise<Response> => {
    const { status, headers } = answer as Answer; // set by the first request
    return build({ status, headers, body: JSON.stringify(await request.json()) });
  };
  return (request) => {
    if (answer === undefined) return learn(request);
    return readsBody ? read(request) : build(answer);
  };
}

/** Sets headers one by one, which is cheapest on Deno and in workerd. */
function build({ status, headers, body }: Answer): Response {
  const response = status === 200 ? new Response(body) : new Response(body, { status });
  for (const [name, value] of headers) response.headers.set(name, value);
  return response;
}
