import type { Sample } from "./samples.ts";

/** The curl command that sends a sample to a route. */
export function curlLine(method: string, url: string, sample: Sample): string {
  const content = contentOf(sample);
  const implied = content.length === 0 ? "GET" : "POST";
  const verb = method === implied ? [] : ["-X", method];
  return ["curl", ...(sample.options ?? []), ...verb, quoted(url), ...content].join(" ");
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
