import type { Sample } from "./samples.ts";

/** The header with the token, which the shell expands from a variable. */
const authorization = ["-H", '"Authorization: Bearer $TOKEN"'];

/** Returns the curl command for a sample request, with a token where the route requires one. */
export function curlLine(method: string, url: string, sample: Sample, isGuarded: boolean): string {
  const content = contentOf(sample);
  const implied = content.length === 0 ? "GET" : "POST";
  const verb = method === implied ? [] : ["-X", method];
  const options = [...(sample.options ?? []), ...(isGuarded ? authorization : [])];
  return ["curl", ...options, ...verb, quoted(url), ...content].join(" ");
}

function contentOf({ body, form }: Sample): string[] {
  if (body !== undefined) return ["--json", quoted(JSON.stringify(body))];
  if (form === undefined) return [];
  const option = form.kind === "multipart" ? "-F" : "--data-urlencode";
  return form.fields.flatMap((field) => [option, quoted(field)]);
}

/** Quotes an argument for the shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
