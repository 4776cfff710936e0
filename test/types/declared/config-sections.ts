import type { ConfigSectionRules } from "../../../src/config/section-types.ts";

/** A section declared by rules; `satisfies` keeps `type` and `required` literal. */
export const appRules = {
  port: { type: "number", required: true, max: 65535 },
  name: { type: "string" },
  tags: { type: "array", required: true },
  anything: {},
} satisfies ConfigSectionRules;

export const mailSchema = { host: String, retries: Number, secure: Boolean };
export const mailDefaults = { host: "localhost", from: "noreply@example.test" };
