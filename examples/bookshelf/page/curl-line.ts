import type { Sample } from "./samples.ts";

/** The header that a logged-in client sends; the shell puts the token in. */
const authorization = ["-H", '"Authorization: Bearer $TOKEN"'];

/** The curl command that sends a sample to a route, with a token where one is needed. */
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

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
