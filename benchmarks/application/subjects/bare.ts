import { type ApplicationCase, greeting, tenHeaders } from "../applications.ts";
import type { Handler, Subject } from "./subject.ts";

/**
 * No framework: creates the response of the others in the cheapest way of the platform, without routing,
 * validation or verification. The baseline of the overhead.
 */
export const bare: Subject = { name: "bare", isFixed: true, create };

function create({ application, timed }: ApplicationCase): Handler {
  switch (application) {
    case "hello":
      return () => new Response(greeting);
    case "parameter":
      return () => Response.json({ id: "42", page: "3" });
    case "echo":
      return async (request) => Response.json(await request.json());
    case "ten-middleware": {
      const headers = Object.fromEntries(tenHeaders.map((name, i) => [name, String(i)]));
      return () => new Response(greeting, { headers });
    }
    case "auth":
      return () => Response.json({ by: "m7" });
    case "not-found":
      return () => new Response("Not Found", { status: 404 });
    case "error":
      return () => new Response("Internal Server Error", { status: 500 });
    case "routes-300": {
      const body = timed[0]?.expected.body ?? ""; // that of the first route, for any request
      return () => new Response(body);
    }
  }
}
