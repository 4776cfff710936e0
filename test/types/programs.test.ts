import { join, relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

/** Returns the type errors of a program, as `file:line: message`, with the file relative to the folder. */
function errorsOf(folder: string): string[] {
  const config = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile).config;
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${relative(folder, file?.fileName ?? "")}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

test("a program that declares its names and types in Register compiles", () => {
  expect(errorsOf(join(root, "test/types/declared"))).toEqual([]);
});

/** Sorts unions of names, whose order depends on all other types of a program. */
function withSortedUnions(message: string): string {
  return message.replace(/"[^"]*"(?: \| "[^"]*")+/g, (union) =>
    union.split(" | ").toSorted().join(" | "),
  );
}

test("the messages of usual mistakes name the mistake", async () => {
  const folder = join(root, "test/types/mistakes");
  const messages = `${errorsOf(folder).map(withSortedUnions).join("\n\n")}\n`;
  await expect(messages).toMatchFileSnapshot(join(folder, "messages.txt"));
});
