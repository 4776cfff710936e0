import type { AcceptedUpgrade } from "./contract.ts";

/** Where a server that can upgrade a request learns that the application wants it. */
export interface UpgradeSlot {
  accepted: AcceptedUpgrade | undefined;
  /** Gets ready what the upgrade needs; rejects when it cannot be had. */
  readonly prepare: () => Promise<void>;
}

const slotOfRequest: unique symbol = Symbol("espalier.upgradeSlot");

type UpgradableRequest = Request & { [slotOfRequest]?: UpgradeSlot };

/** Says that the server behind this request can upgrade it once it is answered with 101. */
export function offerUpgrade(request: Request, prepare: () => Promise<void>): UpgradeSlot {
  const slot: UpgradeSlot = { accepted: undefined, prepare };
  (request as UpgradableRequest)[slotOfRequest] = slot;
  return slot;
}

/**
 * Accepts the offer of the server, which upgrades when this response has passed all middleware;
 * undefined when it made none.
 *
 * @param given the slot, where the server does not put it on the request
 */
export async function upgradeByServer(
  request: Request,
  accepted: AcceptedUpgrade,
  given: UpgradeSlot | undefined,
): Promise<Response | undefined> {
  const slot = given ?? (request as UpgradableRequest)[slotOfRequest];
  if (slot === undefined) return undefined;
  await slot.prepare();
  slot.accepted = accepted;
  const { protocol } = accepted;
  const headers: Record<string, string> =
    protocol === undefined ? {} : { "sec-websocket-protocol": protocol };
  const response = new Response(null, { headers });
  // No constructor makes a 101; logs and middleware are to see what the client gets.
  return Object.defineProperty(response, "status", { value: 101 });
}
