/** Result of `beforeHandle`: a Response short-circuits, null or undefined continues, the rest is a 500. */
export type BeforeHandleResult = Response | null | undefined | void;

/**
 * Default hooks of a controller. A separate class, so that the lifecycle can recognise them without
 * pulling the whole Controller class into a bundle.
 */
export abstract class LifecycleHooks {
  /** Runs after validation and before `handle`; a Response skips `handle` and `afterHandle`. */
  protected beforeHandle(): BeforeHandleResult | Promise<BeforeHandleResult> {}

  /** Runs after `handle` with its response; returns the final response. */
  protected afterHandle(response: Response): Response | Promise<Response> {
    return response;
  }
}
