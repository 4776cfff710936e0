import type { RequestContext } from "../http/context.ts";
import { Session } from "./session-data.ts";

/** Returns whether authentication has set `ctx.user`. */
export function isSignedIn({ user }: RequestContext): boolean {
  return user !== null && user !== undefined;
}

/** What identifies the client of a request. */
export interface Identity {
  readonly hasUser: boolean;
  readonly session: Session | undefined;
}

/** Returns what identifies the client so far. */
export function identityOf(ctx: RequestContext): Identity {
  const session = ctx.state["session"];
  return { hasUser: isSignedIn(ctx), session: session instanceof Session ? session : undefined };
}

/**
 * Returns what tells clients without `ctx.user` apart: the session, and `Authorization`, which the application may
 * check itself. Empty without both.
 */
export function credentialsOf(ctx: RequestContext): readonly string[] {
  const { session } = identityOf(ctx);
  const id = session === undefined ? undefined : Session.loadedId(session);
  const authorization = ctx.headers.get("authorization");
  if (id === undefined && authorization === null) return [];
  return [id ?? "", authorization ?? ""];
}
