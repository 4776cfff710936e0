import type { RequestContext } from "../http/context.ts";
import type { Reply } from "../http/reply.ts";
import { json } from "../http/responses.ts";
import { type CursorValue, encodeCursor } from "./cursor.ts";
import { linkHeader } from "./link-header.ts";

/** Body of a page by number. */
export interface Page<Item> {
  /** True, where `error` writes false. */
  readonly success: true;
  /** Items of this page. */
  readonly data: readonly Item[];
  /** Position of this page. */
  readonly pagination: {
    readonly page: number;
    readonly perPage: number;
    /** Number of all items. */
    readonly total: number;
    /** Number of all pages. */
    readonly pages: number;
  };
}

/** Body of a page by cursor. */
export interface CursorPage<Item> {
  /** True, where `error` writes false. */
  readonly success: true;
  /** Items of this page. */
  readonly data: readonly Item[];
  /** Position of the next page. */
  readonly pagination: {
    /** Cursor of the next page; null on the last one. */
    readonly next: string | null;
  };
}

/** One page of all items, for {@link paginate}. */
export interface PageInput<Item> {
  /** Items of this page. */
  readonly items: readonly Item[];
  /** Number of all items. */
  readonly total: number;
  /** Number of the page, from 1. */
  readonly page: number;
  /** Maximum number of items in a page. */
  readonly perPage: number;
}

/** Rows from a cursor on, for {@link paginateByCursor}. */
export interface CursorPageInput<Item> {
  /** At most `limit + 1` items: one more than are sent shows that there is a next page. */
  readonly items: readonly Item[];
  /** Maximum number of items in a page. */
  readonly limit: number;
  /** Returns the values that the items are sorted by, of which the last is unique. */
  readonly cursorOf: (item: Item) => readonly CursorValue[];
}

/**
 * Returns a page of items as `{ success: true, data, pagination }`, with a `Link` header (RFC 8288) for the
 * first, previous, next and last page.
 *
 * ```ts
 * router.get("/books", async (ctx) => {
 *   const { page, perPage } = ctx.validated.query;
 *   const { items, total } = await books.list({ offset: (page - 1) * perPage, limit: perPage });
 *   return paginate(ctx, { items, total, page, perPage });
 * }, { query: pageRules() });
 * ```
 */
export function paginate<Item>(
  ctx: RequestContext<object>,
  { items, total, page, perPage }: PageInput<Item>,
): Reply<200, Page<Item>> {
  const pages = Math.ceil(total / perPage);
  const link = linkHeader(ctx, {
    first: { page: 1, perPage },
    // Of a page behind the last one, the previous is the last.
    prev: page > 1 ? { page: Math.max(1, Math.min(page - 1, pages)), perPage } : undefined,
    next: page < pages ? { page: page + 1, perPage } : undefined,
    last: { page: Math.max(1, pages), perPage },
  });
  const pagination = { page, perPage, total, pages };
  return json({ success: true, data: items, pagination }, 200, { link });
}

/**
 * Returns the items after a cursor as `{ success: true, data, pagination: { next } }`, with a `Link` header
 * (RFC 8288) for the first and next page. Pages stay complete while rows are inserted and deleted, and a late
 * one costs no more than the first.
 *
 * ```ts
 * router.get("/books", async (ctx) => {
 *   const { cursor, limit } = ctx.validated.query;
 *   const items = await books.after(readCursor(cursor, "string", "number"), limit + 1);
 *   return paginateByCursor(ctx, { items, limit, cursorOf: (book) => [book.title, book.id] });
 * }, { query: cursorRules() });
 * ```
 *
 * @throws EspalierError `ERR_PAGINATION_BAD_CURSOR` for values that are not strings or finite numbers
 */
export function paginateByCursor<Item>(
  ctx: RequestContext<object>,
  { items, limit, cursorOf }: CursorPageInput<Item>,
): Reply<200, CursorPage<Item>> {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  const hasNext = items.length > limit && last !== undefined;
  const next = hasNext ? encodeCursor(cursorOf(last)) : null;
  const link = linkHeader(ctx, {
    first: { cursor: undefined, limit },
    next: next === null ? undefined : { cursor: next, limit },
  });
  return json({ success: true, data, pagination: { next } }, 200, { link });
}
