import { EspalierError } from "../errors.ts";
import type { BodyInit } from "../http/web-types.ts";
import type { PathParams } from "../routing/path-types.ts";
import { checkOptionNames, type OptionNames } from "../util/options.ts";

type QueryValue = string | number | boolean | undefined;

/** Options of a test request. */
export interface TestRequestOptions<Path extends string = string> {
  /** Values for the `:names` of the path. */
  readonly params?: Readonly<Partial<Record<keyof PathParams<Path>, string | number>>>;
  /** Query parameters; an array repeats the key, undefined omits it. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Headers of this request, which override those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON body. */
  readonly json?: unknown;
  /** Form body; sent as a multipart form if it contains a `File` or `Blob`. */
  readonly form?: FormData | Readonly<Record<string, string | number | boolean | Blob>>;
  /** Raw body: string, bytes or a stream. */
  readonly body?: BodyInit;
}

const owner = { code: "ERR_TESTING_BAD_OPTION", name: "The test client" } as const;

const optionNames: OptionNames<TestRequestOptions> = {
  params: true,
  query: true,
  headers: true,
  json: true,
  form: true,
  body: true,
};

/**
 * Refuses unknown options: `post(path, { title })` would send no body instead of `{ json: { title } }`.
 *
 * @throws EspalierError `ERR_TESTING_BAD_OPTION`
 */
export function checkRequestOptions(options: TestRequestOptions): void {
  checkOptionNames(owner, options, optionNames);
}

/** Inserts parameters and query into a path; returns it unchanged if neither is given. */
export function targetOf(path: string, { params, query = {} }: TestRequestOptions): string {
  const values: Readonly<Record<string, string | number | undefined>> = params ?? {};
  const filled =
    params === undefined
      ? path
      : path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
          const value = Object.hasOwn(values, name) ? values[name] : undefined;
          if (value !== undefined) return encodeURIComponent(value);
          throw new EspalierError(
            "ERR_TESTING_BAD_OPTION",
            `${path} requires a value for the parameter "${name}". Add it to params.`,
          );
        });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const items: readonly QueryValue[] = Array.isArray(value) ? value : [value];
    for (const item of items) if (item !== undefined) search.append(name, String(item));
  }
  if (search.size === 0) return filled;
  return `${filled}${filled.includes("?") ? "&" : "?"}${search}`;
}

/** Returns the body of a request, and its content type if the platform does not set it automatically. */
export function bodyOf(
  method: string,
  { json, form, body }: TestRequestOptions,
): { readonly body: BodyInit | null; readonly type?: string } {
  const given = Object.entries({ json, form, body }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const names = given.map(([name]) => name).join(" and ");
    throw new EspalierError(
      "ERR_TESTING_BAD_OPTION",
      `client.${method.toLowerCase()}() got both ${names}; a request has one body. Leave one out.`,
    );
  }
  if (json !== undefined) return { body: JSON.stringify(json), type: "application/json" };
  if (form !== undefined) return { body: form instanceof FormData ? form : formBody(form) };
  return { body: body ?? null };
}

function formBody(fields: Exclude<TestRequestOptions["form"], FormData | undefined>): BodyInit {
  const entries = Object.entries(fields);
  if (!entries.some(([, value]) => value instanceof Blob)) {
    return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  }
  const form = new FormData();
  for (const [name, value] of entries) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}
