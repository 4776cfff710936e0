import type { Reply, SuccessBody } from "../http/reply.ts";
import type { HeadersInit } from "../http/web-types.ts";
import type { ResponseDocumentations } from "../routing/route.ts";
import type { ControllerContract } from "./contract.ts";
import type { TypedController } from "./controller.ts";
import type { DeclaredBody, DeclaredData, WithoutAdditional } from "./response-types.ts";

// The classes here exist for TypeScript only: they type the helpers of `TypedController`.

/** The controller of a contract. Only a contract with responses pays for their types. */
export type ContractController<Contract extends ControllerContract> = Contract extends {
  readonly responses: ResponseDocumentations;
}
  ? RespondingController<Contract, Contract["responses"]>
  : InferringController<Contract>;

/** A controller without declared responses: the type of a reply has the status and the data of its call. */
declare abstract class InferringController<
  Contract extends ControllerContract,
> extends TypedController<Contract> {
  /** Returns `{ "success": true, "data": … }`, status 200. */
  protected override success<Data = undefined, const Status extends number = 200>(
    data?: Data,
    status?: Status,
    headers?: HeadersInit,
  ): Reply<Status, SuccessBody<Data>>;

  /** Returns the data as JSON without an envelope, status 200. */
  protected override json<Data, const Status extends number = 200>(
    data: Data,
    status?: Status,
    headers?: HeadersInit,
  ): Reply<Status, Data>;

  /** Returns status 201 with the `success` envelope, and a `Location` header if given. */
  protected override created<Data = undefined>(
    data?: Data,
    location?: string | URL,
  ): Reply<201, SuccessBody<Data>>;
}

/**
 * A controller whose contract declares its responses: `success`, `created` and `json` accept what a status
 * declares, and no further fields. A `Date` may be given for a string.
 */
declare abstract class RespondingController<
  Contract extends ControllerContract,
  Responses,
> extends TypedController<Contract> {
  /** Returns `{ "success": true, "data": … }` as declared for the status, 200 by default. */
  protected override success<
    Data extends DeclaredData<Responses, Status>,
    const Status extends number = 200,
  >(
    data?: Data & WithoutAdditional<Data, DeclaredData<Responses, Status>>,
    status?: Status,
    headers?: HeadersInit,
  ): Reply<Status, SuccessBody<Data>>;

  /** Returns the data as JSON without an envelope, as declared for the status, 200 by default. */
  protected override json<
    Data extends DeclaredBody<Responses, Status>,
    const Status extends number = 200,
  >(
    data: Data & WithoutAdditional<Data, DeclaredBody<Responses, Status>>,
    status?: Status,
    headers?: HeadersInit,
  ): Reply<Status, Data>;

  /** Returns status 201 with the `success` envelope as declared, and a `Location` header if given. */
  protected override created<Data extends DeclaredData<Responses, 201>>(
    data?: Data & WithoutAdditional<Data, DeclaredData<Responses, 201>>,
    location?: string | URL,
  ): Reply<201, SuccessBody<Data>>;
}
