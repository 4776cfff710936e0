import { asked, type ParityCase } from "../case.ts";

/** ETag of the body `tagged`, as recorded in the case "an ETag". */
const tag = '"LqEQIadapTq+Sa2u9dpW+g"';

const matching = (title: string, status: number, ifNoneMatch: string, path = "/tagged/text") =>
  asked(title, status, path, { headers: { "if-none-match": ifNoneMatch } });

const accepting = (title: string, path: string, accept: string): ParityCase =>
  asked(title, 200, path, { headers: { "accept-encoding": accept } });

const origin = "https://app.example";
const preflight = (
  title: string,
  status: number,
  path: string,
  from: string,
  more: Readonly<Record<string, string>> = {},
): ParityCase =>
  asked(title, status, path, {
    method: "OPTIONS",
    headers: { origin: from, "access-control-request-method": "PUT", ...more },
  });

export const cachingCases: readonly ParityCase[] = [
  asked("an ETag", 200, "/tagged/text"),
  asked("a weak ETag", 200, "/weak/text"),
  asked("an ETag of a stream", 200, "/tagged/stream"),
  asked("an ETag set by the handler", 200, "/tagged/own"),
  asked("no ETag with no-store", 200, "/tagged/no-store"),
  asked("no ETag on an error", 500, "/tagged/failing"),
  asked("no ETag on POST", 200, "/tagged/text", { method: "POST" }),
  asked("an ETag for HEAD", 200, "/tagged/text", { method: "HEAD" }),
  matching("a tag that the client has", 304, tag),
  matching("a tag that it has, weakly", 304, `W/${tag}`),
  matching("a tag in a list", 304, `"a", ${tag} , "b"`),
  matching("any tag", 304, "*"),
  matching("another tag", 200, '"other"'),
  matching("a tag without quotes", 200, "other"),
  matching("the handler's own tag", 304, '"own"', "/tagged/own"),
  matching("any tag of what may be kept", 304, "*", "/tagged/cached"),
  accepting("gzip", "/compressed/long", "gzip"),
  accepting("deflate", "/compressed/long", "deflate"),
  accepting("gzip before deflate", "/compressed/long", "deflate, gzip"),
  accepting("what the client likes better", "/compressed/long", "gzip;q=0.1, deflate;q=0.9"),
  accepting("gzip that is refused", "/compressed/long", "gzip;q=0"),
  accepting("any coding", "/compressed/long", "*"),
  accepting("only codings that are not there", "/compressed/long", "br"),
  accepting("nothing but identity", "/compressed/long", "identity"),
  accepting("a short answer", "/compressed/short", "gzip"),
  accepting("compressed JSON", "/compressed/json", "gzip"),
  accepting("a compressed stream", "/compressed/stream", "gzip"),
  accepting("events stay as they are", "/compressed/events", "gzip"),
  accepting("images stay as they are", "/compressed/image", "gzip"),
  accepting("no-transform", "/compressed/no-transform", "gzip"),
  accepting("a strong tag becomes weak", "/compressed/tagged", "gzip"),
  accepting("Vary grows", "/compressed/varied", "gzip"),
  accepting("compression and tags together", "/both/long", "gzip"),
  asked("secure headers", 200, "/secure/text"),
  asked("secure headers and custom headers", 200, "/secure/own"),
  asked("secure headers on an error", 500, "/secure/throws"),
];

export const corsCases: readonly ParityCase[] = [
  asked("a page of a known origin", 200, "/static", { headers: { origin } }),
  asked("a page of another origin", 200, "/static", {
    headers: { origin: "https://evil.example" },
  }),
  asked("a page without an origin", 200, "/static", { headers: { origin: "null" } }),
  asked("a known origin and an error", 500, "/throws/error", { headers: { origin } }),
  asked("a known origin and no route", 404, "/nowhere", { headers: { origin } }),
  asked("a known origin and a wrong method", 405, "/methods", {
    method: "DELETE",
    headers: { origin },
  }),
  preflight("a preflight", 204, "/methods", origin),
  preflight("a preflight of another origin", 204, "/methods", "https://evil.example"),
  preflight("a preflight for no route", 204, "/nowhere", origin),
  preflight("a preflight for a guarded route", 204, "/auth/me", origin),
  preflight("a preflight that asks for headers", 204, "/methods", origin, {
    "access-control-request-headers": "x-a,x-b, content-type",
  }),
  asked("OPTIONS without preflight headers", 204, "/methods", {
    method: "OPTIONS",
    headers: { origin },
  }),
];
