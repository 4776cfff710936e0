/**
 * What `record` itself holds under `name`; undefined for what it only inherits, so that a field
 * called `toString` or `constructor` is absent until somebody sends one.
 */
export function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = record[name];
  // Absent names are the common case, and need no second look-up.
  return value === undefined || Object.hasOwn(record, name) ? value : undefined;
}

/**
 * Whether `value` is an object with fields: what JSON calls an object, or an instance of a class of
 * the application. Arrays, dates, files and boxed strings are not.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  // Asked last because it is slow; the plain objects of another realm end up here too.
  return Object.prototype.toString.call(value) === "[object Object]";
}

/**
 * An object for validated fields that inherits nothing: of a name that was not sent it says
 * undefined, and `__proto__` is a name like any other. A class is used because V8 makes its objects
 * twice as fast as those of `Object.create(null)`.
 */
export const NullObject: new () => NullObject = /* @__PURE__ */ createFieldsClass();
export interface NullObject {
  [name: string]: unknown;
}

function createFieldsClass(): new () => NullObject {
  class Fields {
    [name: string]: unknown;
  }
  Reflect.deleteProperty(Fields.prototype, "constructor");
  Object.setPrototypeOf(Fields.prototype, null);
  return Fields;
}
