import { EspalierError } from "../errors.ts";
import type { BodyInit } from "../http/web-types.ts";
import type { PathParams } from "../routing/path-types.ts";

type QueryValue = string | number | boolean | undefined;

/** What a request of the test client may have beside its path. */
export interface TestRequestOptions<Path extends string = string> {
  /** Values for the `:names` of the path. */
  readonly params?: Readonly<Partial<Record<keyof PathParams<Path>, string | number>>>;
  /** Behind the question mark; a list gives a key several times, undefined none. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Sent with this request, over those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, as JSON. */
  readonly json?: unknown;
  /** The body, as form fields; with a `File` or `Blob` among them it is a multipart form. */
  readonly form?: FormData | Readonly<Record<string, string | number | boolean | Blob>>;
  /** The body as it is: text, bytes or a stream. */
  readonly body?: BodyInit;
}

/** The path with its parameters and its query; as it is when neither is given. */
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
            `${path} has the parameter "${name}", and params has no value for it.`,
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

/** The body of a request, and the content type where the platform does not know it by itself. */
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
