import type { AcceptedUpgrade } from "./contract.ts";

/** Slot through which a handler asks the server to upgrade this request. */
export interface UpgradeSlot {
  accepted: AcceptedUpgrade | undefined;
  /** Loads what the upgrade needs; rejects if it is unavailable. */
  readonly prepare: () => Promise<void>;
}

const slotOfRequest: unique symbol = Symbol("espalier.upgradeSlot");

type UpgradableRequest = Request & { [slotOfRequest]?: UpgradeSlot };

/** Marks a request as upgradable: the server upgrades it when the response has status 101. */
export function offerUpgrade(request: Request, prepare: () => Promise<void>): UpgradeSlot {
  const slot: UpgradeSlot = { accepted: undefined, prepare };
  (request as UpgradableRequest)[slotOfRequest] = slot;
  return slot;
}

/**
 * Accepts the server's upgrade offer: the server upgrades once this response has passed all middleware.
 * Returns undefined if the server made no offer.
 *
 * @param given the slot, if the server does not attach it to the request
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
  // `new Response` rejects status 101; defined here so that logs and middleware see the final status.
  return Object.defineProperty(response, "status", { value: 101 });
}
