import type { OpenApiDocument, OperationObject } from "../document.ts";
import { sampleOf, sampleOfMedia } from "./sample.ts";

/** Returns the curl command of an operation. */
export function curlLine(
  method: string,
  path: string,
  operation: OperationObject,
  document: OpenApiDocument,
  origin: string,
): string {
  const lines = [`curl ${quote(urlOf(path, operation, document, origin))}`];
  if (method !== "GET") lines[0] += ` -X ${method}`;
  lines.push(...credentialLines(operation, document));
  const [entry] = Object.entries(operation.requestBody?.content ?? {});
  if (entry !== undefined) lines.push(...bodyLines(entry, document));
  return lines.join(" \\\n  ");
}

/** Returns the options for each security scheme, with variables in place of secrets. */
function credentialLines(
  { security = [] }: OperationObject,
  { components }: OpenApiDocument,
): string[] {
  return Object.keys(security[0] ?? {}).flatMap((name) => {
    const { type, scheme, in: place, name: key } = components.securitySchemes?.[name] ?? {};
    if (type === "http" && scheme === "basic") return ['-u "$NAME:$PASSWORD"'];
    if (type === "http") return ['-H "authorization: Bearer $TOKEN"'];
    if (type === "apiKey" && place === "header")
      return [`-H ${quote(`${String(key)}: `)}"$API_KEY"`];
    return [];
  });
}

function bodyLines(
  [type, media]: [string, Parameters<typeof sampleOfMedia>[0]],
  document: OpenApiDocument,
): string[] {
  const sample = sampleOfMedia(media, document);
  const fields = typeof sample === "object" && sample !== null ? Object.entries(sample) : [];
  if (type === "multipart/form-data") {
    return fields.map(([name, value]) =>
      value === "(file)"
        ? `-F ${quote(`${name}=@file`)}`
        : `-F ${quote(`${name}=${textOf(value)}`)}`,
    );
  }
  if (type === "application/x-www-form-urlencoded") {
    return fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${textOf(value)}`)}`);
  }
  const text = typeof sample === "string" ? sample : JSON.stringify(sample);
  return [`-H ${quote(`content-type: ${type}`)}`, `-d ${quote(text)}`];
}

function urlOf(
  path: string,
  { parameters = [] }: OperationObject,
  document: OpenApiDocument,
  origin: string,
): string {
  let url = path;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const value = textOf(sampleOf(parameter.schema, document));
    if (parameter.in === "path") {
      // Values cannot be generated for a pattern: show the parameter's name instead.
      const isMadeUp = parameter.schema["pattern"] !== undefined || value === "string";
      url = url.replace(
        `{${parameter.name}}`,
        isMadeUp ? `{${parameter.name}}` : encodeURIComponent(value),
      );
    } else if (parameter.in === "query" && parameter.required === true) {
      query.append(parameter.name, value);
    }
  }
  const search = query.toString();
  return origin.replace(/\/$/, "") + url + (search === "" ? "" : `?${search}`);
}

/** Quotes a string for a shell. */
function quote(text: string): string {
  return `'${quotable(text)}'`;
}

/** Escapes a string for single quotes of a shell, in which only the single quote is special. */
export function quotable(text: string): string {
  return text.replaceAll("'", "'\\''");
}

/** Returns a sample as a string. Generated objects have no prototype, so `String` would throw. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
