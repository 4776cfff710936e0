/**
 * Returns a base class that shares a platform class's prototype (so `instanceof` holds) but skips its
 * constructor, which would be too expensive.
 *
 * Members that are not overridden throw, because they need the state that the constructor creates.
 */
export function subclassWithoutConstructor<Instance extends object>(
  prototype: Instance,
): new () => Instance {
  function Bare(): void {}
  Bare.prototype = prototype;
  return Bare as unknown as new () => Instance; // functions are constructors, which the type lacks
}
