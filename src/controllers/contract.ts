import type { AddedMembers } from "../pipeline/added-members.ts";
import type { ServiceName, ServiceOf, User } from "../register.ts";
import type { HandlerContract } from "../routing/route.ts";

/** The argument of `Controller.for`: services, middleware and input of a controller. */
export interface ControllerContract extends HandlerContract {
  /** Names of the services in `this.services`; promises are awaited. */
  readonly inject?: readonly ServiceName[];
}

/** The services that a contract injects, by name. */
export type InjectedServices<Contract> = Contract extends {
  readonly inject: readonly (infer Name extends string)[];
}
  ? { readonly [Each in Name]: Awaited<ServiceOf<Each>> }
  : Readonly<Record<never, never>>;

/** The user of a request: present if the contract lists middleware that adds one. */
export type ContractUser<Contract> =
  AddedMembers<Contract> extends { readonly user: infer Present }
    ? Present
    : User | null | undefined;
