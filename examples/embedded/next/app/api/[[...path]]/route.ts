import { app } from "../../../../app.ts";

export const runtime = "edge";

// Not `app.fetch` itself: Next's second argument, `{ params }`, would be taken for the environment.
const handle = (request: Request): Promise<Response> => app.fetch(request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
