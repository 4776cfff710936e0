/** The application and its requests: a module added when the worker is started. */
declare module "benchmark-case" {
  const input: import("../applications.ts").ApplicationCase;
  export default input;
}
