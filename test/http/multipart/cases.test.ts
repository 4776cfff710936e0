import { describe, expect, test } from "vitest";
import { multipartCases, readInPieces, readWhole } from "../../support/multipart-cases.ts";

describe.each(multipartCases)("$id", ({ contentType, bytes, expected }) => {
  test("as a whole", async () => {
    expect(await readWhole(bytes, contentType)).toEqual(expected);
  });

  test.each([1, 2, 3, 7, 64, 1000])("in pieces of %i bytes", async (pieceBytes) => {
    expect(await readInPieces(bytes, contentType, pieceBytes)).toEqual(expected);
  });
});
