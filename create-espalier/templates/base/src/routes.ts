import { json, type Router } from "espalier";
// @if cache
import { ListGreetings } from "./controllers/list-greetings.ts";
// @end
// @if queue
import { SendGreeting } from "./controllers/send-greeting.ts";
// @end
import { ShowGreeting } from "./controllers/show-greeting.ts";
// @if auth
import { SignIn } from "./controllers/sign-in.ts";
// @end

/** Registers the routes. */
export function registerRoutes(router: Router): void {
  router.get("/", () => json({ try: "/greetings/Ada?language=fr" }), {
    name: "home",
    // @if openapi
    summary: "Home",
    tags: ["home"],
    // @end
  });
  // @if cache
  router.get("/greetings", ListGreetings, {
    name: "greetings.list",
    // @if openapi
    summary: "List the greetings of all languages",
    // @end
  });
  // @end
  router.get("/greetings/:name", ShowGreeting, {
    name: "greetings.show",
    // @if openapi
    summary: "Get a greeting",
    // @end
  });
  // @if queue
  router.post("/greetings", SendGreeting, {
    name: "greetings.send",
    // @if openapi
    summary: "Send a greeting by email, in the background",
    // @end
    // @if auth
    middleware: ["auth", "can:admin"],
    // @end
  });
  // @end
  // @if auth
  router.post("/sign-in", SignIn, {
    name: "sign-in",
    // @if openapi
    summary: "Get a token",
    // @end
    middleware: ["sign-in-limit"],
  });
  router.get("/me", (ctx) => json(ctx.user), {
    name: "me",
    // @if openapi
    summary: "Get the current user",
    // @end
    middleware: ["auth"],
  });
  // @end
}
