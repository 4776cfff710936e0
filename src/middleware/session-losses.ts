import type { RequestContext } from "../http/context.ts";
import { logSafely } from "../util/log-safely.ts";
import type { SessionWriteResult } from "./session-plan.ts";

const changesLost = "The changes of a session were dropped, because it had ended in the meantime.";
const valuesLost =
  "A session that was to get a new id had ended in the meantime; " +
  "a new one begins with the changes of this request.";
const changeReplaced = "Two requests changed the same session value; the later change was kept.";

/** Logs what a write could not keep. Ids and values of sessions are secret: names alone are logged. */
export function logSessionLosses(ctx: RequestContext, result: SessionWriteResult): void {
  const { logger } = ctx.app;
  const { lost, overwritten } = result;
  if (lost === "changes") logSafely(logger, "warn", changesLost, { id: ctx.id });
  if (lost === "values") logSafely(logger, "warn", valuesLost, { id: ctx.id });
  if (overwritten.length === 0) return;
  logSafely(logger, "info", changeReplaced, { id: ctx.id, names: overwritten });
}
