import { checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import type { RuleMap } from "../validation/rules.ts";
import type { StandardSchemaV1 } from "../validation/standard-schema.ts";

/** Options of {@link pageRules}. */
export interface PageRulesOptions {
  /** Items per page without `perPage` in the query; default 20. */
  readonly perPage?: number;
  /** Maximum of `perPage`; default 100. */
  readonly maxPerPage?: number;
  /** Maximum of `page`, because databases read all rows before it; default 10,000. */
  readonly maxPage?: number;
}

/** Options of {@link cursorRules}. */
export interface CursorRulesOptions {
  /** Items per page without `limit` in the query; default 20. */
  readonly limit?: number;
  /** Maximum of `limit`; default 100. */
  readonly maxLimit?: number;
}

interface IntegerRule {
  readonly type: "integer";
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

// Type aliases, because an interface is not assignable to a map of rules.

/** Rules of the query parameters `page` and `perPage`. */
export type PageRules = { readonly page: IntegerRule; readonly perPage: IntegerRule };

/** Rules of the query parameters `cursor` and `limit`. */
export type CursorRules = {
  readonly cursor: { readonly type: "string"; readonly maxLength: number };
  readonly limit: IntegerRule;
};

interface PresentInteger {
  readonly type: "integer";
  readonly required: true;
  readonly min: number;
}

/** Documentation of a response with a page of items. */
export interface PageDocumentation<Item, Pagination> {
  /** Description of the response. */
  readonly description: string;
  /** Rules of the body. */
  readonly body: {
    readonly success: {
      readonly type: "boolean";
      readonly required: true;
      readonly enum: readonly [true];
    };
    readonly data: {
      readonly type: "array";
      readonly required: true;
      readonly items: { readonly type: "object"; readonly schema: Item };
    };
    readonly pagination: {
      readonly type: "object";
      readonly required: true;
      readonly schema: Pagination;
    };
  };
}

type PagePosition = {
  readonly page: PresentInteger;
  readonly perPage: PresentInteger;
  readonly total: PresentInteger;
  readonly pages: PresentInteger;
};

type CursorPosition = {
  readonly next: { readonly type: "string"; readonly required: true; readonly nullable: true };
};

/** Maximum length of a cursor in characters. */
export const maxCursorLength = 2048;

const pageOwner = { code: "ERR_PAGINATION_BAD_OPTION", name: "pageRules()" } as const;
const pageNames: OptionNames<PageRulesOptions> = { perPage: true, maxPerPage: true, maxPage: true };
const cursorOwner = { code: "ERR_PAGINATION_BAD_OPTION", name: "cursorRules()" } as const;
const cursorNames: OptionNames<CursorRulesOptions> = { limit: true, maxLimit: true };

/**
 * Returns validation rules for the query parameters `page`, from 1, and `perPage`.
 *
 * @throws EspalierError `ERR_PAGINATION_BAD_OPTION`
 * @example router.get("/books", listBooks, { query: { ...pageRules(), author: { type: "string" } } });
 */
export function pageRules(options: PageRulesOptions = {}): PageRules {
  checkOptionNames(pageOwner, options, pageNames);
  const { maxPerPage = 100, maxPage = 10_000, perPage = Math.min(20, maxPerPage) } = options;
  checkInteger(pageOwner, "maxPerPage", maxPerPage, 1);
  checkInteger(pageOwner, "maxPage", maxPage, 1);
  checkInteger(pageOwner, "perPage", perPage, 1, maxPerPage);
  return {
    page: { type: "integer", min: 1, max: maxPage, default: 1 },
    perPage: { type: "integer", min: 1, max: maxPerPage, default: perPage },
  };
}

/**
 * Returns validation rules for the query parameters `cursor` and `limit`.
 *
 * @throws EspalierError `ERR_PAGINATION_BAD_OPTION`
 * @example router.get("/books", listBooks, { query: cursorRules({ maxLimit: 50 }) });
 */
export function cursorRules(options: CursorRulesOptions = {}): CursorRules {
  checkOptionNames(cursorOwner, options, cursorNames);
  const { maxLimit = 100, limit = Math.min(20, maxLimit) } = options;
  checkInteger(cursorOwner, "maxLimit", maxLimit, 1);
  checkInteger(cursorOwner, "limit", limit, 1, maxLimit);
  return {
    cursor: { type: "string", maxLength: maxCursorLength },
    limit: { type: "integer", min: 1, max: maxLimit, default: limit },
  };
}

/**
 * Returns the documentation of a response of `paginate`, for the option `responses`.
 *
 * @param item rules or schema of one item
 * @example { responses: { 200: pageOf(bookRules) } }
 */
export function pageOf<const Item extends RuleMap | StandardSchemaV1>(
  item: Item,
): PageDocumentation<Item, PagePosition> {
  return pageDocumentation(item, {
    page: { type: "integer", required: true, min: 1 },
    perPage: { type: "integer", required: true, min: 1 },
    total: { type: "integer", required: true, min: 0 },
    pages: { type: "integer", required: true, min: 0 },
  });
}

/**
 * Returns the documentation of a response of `paginateByCursor`, for the option `responses`.
 *
 * @param item rules or schema of one item
 * @example { responses: { 200: cursorPageOf(bookRules) } }
 */
export function cursorPageOf<const Item extends RuleMap | StandardSchemaV1>(
  item: Item,
): PageDocumentation<Item, CursorPosition> {
  return pageDocumentation(item, {
    next: { type: "string", required: true, nullable: true },
  });
}

function pageDocumentation<Item, Pagination>(
  item: Item,
  pagination: Pagination,
): PageDocumentation<Item, Pagination> {
  return {
    description: "A page of items. The header Link has the URLs of other pages.",
    body: {
      success: { type: "boolean", required: true, enum: [true] },
      data: { type: "array", required: true, items: { type: "object", schema: item } },
      pagination: { type: "object", required: true, schema: pagination },
    },
  };
}
