/** Keeps Node's types out of the source. */
declare module "node:async_hooks" {
  /** A value that follows the asynchronous operations of its caller. */
  export class AsyncLocalStorage<Store> {
    /** Sets the value for the rest of the synchronous execution, and what it starts. */
    enterWith(store: Store): void;
    getStore(): Store | undefined;
  }
}
