/** The application and its requests, put beside the worker when the worker is started. */
declare module "benchmark-case" {
  const input: import("../applications.ts").ApplicationCase;
  export default input;
}
