const encoder = new TextEncoder();
const prose = "The quick brown fox jumps over the lazy dog and writes a longer sentence. ";

/** Fields of a usual form: most are short, one is a text. */
const usualFields: readonly (readonly [name: string, value: string])[] = [
  ["token", "kX3v9QpLr2mN8sTbYc5wZfGhJ1dA7eUoIq4xBnVt6Rk"],
  ["firstName", "Robin"],
  ["lastName", "Example-Person"],
  ["email", "robin.example@mail.example"],
  ["phone", "+1 555 0100"],
  ["street", "12 Long Street, second floor"],
  ["city", "Exampleton"],
  ["postcode", "12345"],
  ["newsletter", "on"],
  ["message", prose.repeat(5)],
];

/** Returns a list of usual fields, numbered, until their text has a size; at most 1,000. */
function listUsual(bytes: number, write: (name: string, value: string) => string): string[] {
  const texts: string[] = [];
  let size = 0;
  for (let at = 0; at < 1_000; at += 1) {
    const [name, value] = usualFields[at % usualFields.length] ?? ["", ""];
    const text = write(`${name}${Math.floor(at / usualFields.length)}`, value);
    size += text.length;
    if (size > bytes) break;
    texts.push(text);
  }
  return texts;
}

/** Returns a usual urlencoded form. */
export function usualPairs(bytes: number): Uint8Array<ArrayBuffer> {
  const pairs = listUsual(
    bytes,
    (name, value) => `${name}=${encodeURIComponent(value).replaceAll("%20", "+")}&`,
  );
  return encoder.encode(pairs.join("").slice(0, -1));
}

/** Returns a usual multipart form, as browsers write it but for its short boundary. */
export function usualForm(bytes: number, boundary: string): Uint8Array<ArrayBuffer> {
  const end = `--${boundary}--\r\n`;
  const parts = listUsual(
    bytes - end.length,
    (name, value) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return encoder.encode(parts.join("") + end);
}

/** Returns usual JSON: rows with the same names and different values, which no other variant has. */
export function usualRows(bytes: number, variant: number): Uint8Array<ArrayBuffer> {
  const rows: string[] = [];
  let size = 2;
  for (let id = 1_000 * variant; ; id += 1) {
    const row = JSON.stringify({
      id,
      name: `Person ${id}`,
      email: `person${id}@mail.example`,
      address: { street: `${id} Long Street`, city: "Exampleton", postcode: `${10_000 + id}` },
      tags: [`tag${id % 7}`, "other"],
      price: id * 1.25,
      active: id % 2 === 0,
    });
    size += row.length + 1;
    if (size > bytes) break;
    rows.push(row);
  }
  return encoder.encode(`[${rows.join()}]`);
}
