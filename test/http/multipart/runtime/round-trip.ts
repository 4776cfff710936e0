import { readMultipart } from "../../../../src/http/multipart/read-multipart.ts";

/** Names and values of a form, as in `FormData`. */
export const roundTripFields: readonly (readonly [name: string, value: string])[] = [
  ["title", "Émile 你\r\nsecond line"],
  ['a"b', "quote"],
  ["tags[]", "1"],
  ["tags[]", ""],
];
export const roundTripFile = { name: "f", filename: '日本 "x"; a\\b.txt', content: "\0\r\n--ÿ" };

/** Reads a form encoded by the runtime. */
export async function describeRoundTrip(): Promise<unknown> {
  const form = new FormData();
  for (const [name, value] of roundTripFields) form.append(name, value);
  const { name, filename, content } = roundTripFile;
  form.append(name, new File([content], filename, { type: "application/x-test" }));
  const response = new Response(form);
  const contentType = response.headers.get("content-type") ?? "";
  const entries = readMultipart(new Uint8Array(await response.arrayBuffer()), contentType);
  const described = entries.map(async ([key, value]) =>
    typeof value === "string" ? [key, value] : [key, value.name, value.type, await value.text()],
  );
  return Promise.all(described);
}
