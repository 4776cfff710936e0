import type { RegisteredMiddleware, User } from "../register.ts";
import type { Middleware } from "./middleware.ts";

declare const addedType: unique symbol;

/**
 * A middleware whose type states which members it adds to the context of the handlers behind it.
 *
 * ```ts
 * const tenant: AddingMiddleware<{ state: { tenant: string } }> = (ctx, next) => {
 *   ctx.state["tenant"] = ctx.url.hostname;
 *   return next();
 * };
 * router.get("/", (ctx) => text(ctx.state.tenant), { middleware: [tenant] });
 * ```
 */
export type AddingMiddleware<Added extends object> = Middleware & {
  /** Exists for TypeScript only. */
  readonly [addedType]?: Added;
};

/** `limit:5` without its arguments. */
type NameOf<Reference extends string> = Reference extends `${infer Name}:${string}`
  ? Name
  : Reference;

type AddedBy<Reference> = Reference extends string
  ? NameOf<Reference> extends keyof RegisteredMiddleware
    ? RegisteredMiddleware[NameOf<Reference>]
    : // A policy denies requests without a user.
      NameOf<Reference> extends "can"
      ? { readonly user: NonNullable<User> }
      : unknown
  : Reference extends { readonly [addedType]?: infer Added }
    ? Added
    : unknown;

/** The members that a list of middleware adds to the context; `unknown` for a list of unknown length. */
export type AddedByList<List> = List extends readonly [infer First, ...infer Rest]
  ? AddedBy<First> & AddedByList<Rest>
  : unknown;

/** The members that the option `middleware` of a route, group or controller adds to the context. */
export type AddedMembers<Options> = Options extends { readonly middleware: infer List }
  ? AddedByList<List>
  : unknown;
