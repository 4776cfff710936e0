/** The keys of a validation rule, in the order of the documentation. */
export const ruleKeys: readonly string[] = [
  "required",
  "allowEmpty",
  "type",
  "min",
  "max",
  "minLength",
  "maxLength",
  "pattern",
  "protocols",
  "enum",
  "items",
  "schema",
  "nullable",
  "default",
  "message",
  "custom",
];
