/**
 * Makes a class to extend with the prototype of a platform's, so that its objects pass for such, and whose
 * constructor does nothing: the platform's own would cost more than all that is wanted of it.
 *
 * Members that are not overridden fail, as they look for what that constructor makes.
 */
export function subclassWithoutConstructor<Instance extends object>(
  prototype: Instance,
): new () => Instance {
  function Bare(): void {}
  Bare.prototype = prototype;
  return Bare as unknown as new () => Instance; // a function is a constructor, which types do not tell
}
