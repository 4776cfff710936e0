/** What a hook before the handler may return: a Response is the answer, nothing goes on; all else is a 500. */
export type BeforeHandleResult = Response | null | undefined | void;

/**
 * The hooks of a controller that has none of its own. A class apart, so that the lifecycle can tell them
 * from a user's without bringing the whole controller into a bundle.
 */
export abstract class LifecycleHooks {
  /** Runs after validation and before `handle`; a Response short-circuits, also past `afterHandle`. */
  protected beforeHandle(): BeforeHandleResult | Promise<BeforeHandleResult> {}

  /** Runs after `handle`, with its response; returns the final one. */
  protected afterHandle(response: Response): Response | Promise<Response> {
    return response;
  }
}
