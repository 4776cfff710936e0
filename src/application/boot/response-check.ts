import { EspalierError } from "../../errors.ts";
import type { Handler } from "../../pipeline/compose.ts";
import type { ResponseDocumentation, RouteRecord } from "../../routing/route.ts";
import type { compileValueCheck, ValueCheck } from "../../validation/value-check.ts";

/** Checks the JSON body of a response. */
type BodyCheck = (body: unknown) => Promise<readonly string[]>;

/** Most differences that a message lists. */
const maxDifferences = 10;

/**
 * Wraps the handler of a route that declares its responses: one that differs is an error. Statuses of 400 and
 * above need no declaration, since every route may fail.
 *
 * @param compile compiles the check of a value
 * @throws EspalierError `ERR_HTTP_RESPONSE_MISMATCH`, while a request is handled
 */
export function checkResponses(
  handler: Handler,
  { method, pattern, documentation }: RouteRecord,
  compile: typeof compileValueCheck,
): Handler {
  const { responses } = documentation;
  if (responses === undefined) return handler;
  const checks = new Map<number, BodyCheck | undefined>();
  for (const [status, declared] of Object.entries(responses)) {
    const check = typeof declared === "string" ? undefined : bodyCheckOf(declared, compile);
    checks.set(Number(status), check);
  }
  return async function runChecked(ctx) {
    const response = await handler(ctx);
    const differences = await differencesOf(response, checks);
    if (differences.length === 0) return response;
    throw new EspalierError(
      "ERR_HTTP_RESPONSE_MISMATCH",
      `The response ${response.status} of ${method} ${pattern} differs from its responses: ` +
        `${differences.slice(0, maxDifferences).join("; ")}. Correct the handler or the declaration.`,
    );
  };
}

async function differencesOf(
  response: Response,
  checks: ReadonlyMap<number, BodyCheck | undefined>,
): Promise<readonly string[]> {
  const { status } = response;
  if (!checks.has(status)) {
    const isFree = status >= 400 || status < 200;
    return isFree ? [] : [`the status is not declared, only ${[...checks.keys()].join(", ")}`];
  }
  const check = checks.get(status);
  if (check === undefined) return [];
  const type = response.headers.get("content-type") ?? "none";
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    return [`the Content-Type must be JSON, got ${type}`];
  }
  return check(await response.clone().json());
}

function bodyCheckOf(
  { data, body, schema }: ResponseDocumentation,
  compile: typeof compileValueCheck,
): BodyCheck | undefined {
  if (data !== undefined) return envelopeCheck(compile(data));
  const whole = body ?? (schema !== undefined && "~standard" in schema ? schema : undefined);
  if (whole === undefined) return undefined;
  const check = compile(whole as NonNullable<ResponseDocumentation["body"]>);
  return (value) => check(value, "body");
}

function envelopeCheck(check: ValueCheck): BodyCheck {
  return async (body) => {
    const envelope = body as { readonly success?: unknown; readonly data?: unknown } | null;
    if (envelope?.success !== true) return ["the body must be the envelope of success()"];
    return check(envelope.data, "data");
  };
}
