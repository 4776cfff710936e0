/**
 * Returns the own property `name` of `record`; undefined for inherited ones, so that a field named
 * `toString` or `constructor` is absent unless the client sends it.
 */
export function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = record[name];
  // Fast path: an undefined value needs no second look-up.
  return value === undefined || Object.hasOwn(record, name) ? value : undefined;
}

/**
 * Returns whether `value` is an object with fields: a plain object, or an instance of an application's
 * class. Arrays, dates, files and boxed strings are not.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  // Checked last because it is slow; it also accepts plain objects of another realm.
  return Object.prototype.toString.call(value) === "[object Object]";
}

/**
 * An object for validated fields that inherits nothing (no prototype pollution): absent names are
 * undefined, and `__proto__` is an ordinary name. A class, because V8 creates its instances twice as
 * fast as `Object.create(null)`.
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
