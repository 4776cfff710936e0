import type { ResponseValue } from "../controllers/response-types.ts";
import type { ReplyParts, SuccessBody, TextBody } from "../http/reply.ts";
import type { DefinedRoute } from "../routing/define-routes.ts";
import type { ControllerClass } from "../routing/route.ts";
import type { FromJson } from "../util/json-types.ts";
import type { StandardOutput, StandardSchemaV1 } from "../validation/standard-schema.ts";
import type { ContractOf } from "./route-input.ts";

/** A successful response: `status` determines the type of `data`. Others are thrown as a `ProblemError`. */
export interface RouteAnswer<Status extends number, Data> {
  readonly status: Status;
  /** The parsed body. */
  readonly data: Data;
  readonly response: Response;
}

/** How the body is parsed, with the type of the result. */
export interface Parsed {
  readonly json: unknown;
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: Response["body"];
}

// The types of routes do not distribute: the compiler would evaluate them for all routes in each call.
type RouteOf<Endpoint> = [Endpoint] extends [{ readonly route: infer Route }] ? Route : never;

/** The response of a handler: what a function returns, or the method `handle` of a class. */
type HandledBy<Route> = [Route] extends [
  DefinedRoute<string, string, infer Controller, infer Returned>,
]
  ? ControllerClass extends Controller
    ? Awaited<Returned>
    : Controller extends abstract new (
          ...dependencies: never[]
        ) => { handle(...context: never[]): infer Handled }
      ? Awaited<Handled>
      : never
  : never;

type Success<Status extends number> = `${Status}` extends `2${string}` ? Status : never;

/** Status and body of each response that the types of the helpers state. */
type InferredReplies<Endpoint> = ReplyParts<HandledBy<RouteOf<Endpoint>>>;

type DeclaredResponses<Route> = [Route] extends [
  DefinedRoute<string, string, infer Controller, unknown, infer Options>,
]
  ? Options extends { readonly responses: infer Responses }
    ? Responses
    : ContractOf<Controller> extends { readonly responses: infer Responses }
      ? Responses
      : Record<never, never>
  : never;

type DeclaredBody<Declared> = Declared extends { readonly data: infer Schema }
  ? SuccessBody<ResponseValue<Schema>>
  : Declared extends { readonly body: infer Schema }
    ? ResponseValue<Schema>
    : Declared extends { readonly schema: infer Schema extends StandardSchemaV1 }
      ? StandardOutput<Schema>
      : unknown;

type DeclaredReplies<Responses> = {
  [Status in keyof Responses & number as Success<Status>]: readonly [
    Status,
    DeclaredBody<Responses[Status]>,
  ];
};

/** Replies of a handler that returns a `Response` without types: those that the route declares. */
type RepliesOf<Endpoint, Declared> =
  InferredReplies<Endpoint> extends readonly [number, infer Body]
    ? unknown extends Body
      ? [keyof Declared] extends [never]
        ? readonly [number, unknown]
        : Declared[keyof Declared]
      : InferredReplies<Endpoint>
    : never;

type Replies<Endpoint> = RepliesOf<Endpoint, DeclaredReplies<DeclaredResponses<RouteOf<Endpoint>>>>;

type DataOf<Status, Body, As extends keyof Parsed> = Status extends 204 | 205
  ? undefined
  : As extends "json"
    ? FromJson<Body>
    : Parsed[As];

type AnswerOf<Reply, As extends keyof Parsed> = Reply extends readonly [
  infer Status extends number,
  infer Body,
]
  ? number extends Status
    ? RouteAnswer<number, DataOf<Status, Body, As>>
    : EachStatus<Success<Status>, Body, As>
  : never;

type EachStatus<Status extends number, Body, As extends keyof Parsed> = Status extends number
  ? RouteAnswer<Status, DataOf<Status, Body, As>>
  : never;

/** The successful responses of an endpoint, with their bodies after JSON. */
export type RouteAnswers<Endpoint, As extends keyof Parsed> = AnswerOf<Replies<Endpoint>, As>;

/** True for an endpoint whose response is text: it cannot be parsed as JSON. */
export type IsText<Endpoint> =
  Extract<InferredReplies<Endpoint>, readonly [number, TextBody]> extends never ? false : true;
