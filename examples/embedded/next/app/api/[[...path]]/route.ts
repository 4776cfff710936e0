import { app } from "../../../../app.ts";

export const runtime = "edge";

const handle = app.fetch;

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
