import { escapeHtml } from "../../http/escape-html.ts";
import type { LogRecord } from "../../observability/logger.ts";

/** Content of {@link errorPage}. */
export interface ErrorPage {
  /** Status and reason phrase. */
  readonly title: string;
  /** Description of the error, without secrets. */
  readonly error: LogRecord;
  /** Facts about the request: names and values. */
  readonly request: readonly (readonly [string, string])[];
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid; border-radius: 4px; font-size: .85rem; }
th { text-align: left; vertical-align: top; padding-right: 1rem; font-weight: 600; white-space: nowrap; }
td { overflow-wrap: anywhere; }
`;

/** Renders an unexpected error as an HTML page: stack, causes and request. */
export function errorPage({ title, error, request }: ErrorPage): string {
  const rows = request.map(
    ([name, value]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(headline(error))}</title>
<style>${style}</style>
</head>
<body>
<p>${escapeHtml(title)}</p>
<h1>${escapeHtml(headline(error))}</h1>
${sections(error).join("\n")}
<h2>Request</h2>
<table>
${rows.join("\n")}
</table>
<p>Clients see this page because the option <code>debug</code> is true. Production must not set it.</p>
</body>
</html>
`;
}

/** Returns the stack of an error, and a section for each of its causes. */
function sections(error: LogRecord): string[] {
  const { stack, cause, errors } = error;
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const found = typeof stack === "string" ? [`<pre>${escapeHtml(stack)}</pre>`] : [];
  if (cause !== undefined) found.push(...section("Cause", Object(cause)));
  for (const [index, one] of list.entries()) {
    found.push(...section(`Error ${index + 1} of ${list.length}`, Object(one)));
  }
  return found;
}

function section(title: string, error: LogRecord): string[] {
  return [`<h2>${title}: ${escapeHtml(headline(error))}</h2>`, ...sections(error)];
}

function headline({ name, message, thrown }: LogRecord): string {
  return thrown === undefined ? `${String(name)}: ${String(message)}` : String(thrown);
}
