import type { AcceptedUpgrade } from "../../platform/websocket/contract.ts";
import { offerUpgrade } from "../../platform/websocket/upgrade-slot.ts";

/** Makes a connection a WebSocket, with the headers of the answer it got; gives what is returned. */
export type Upgrade = (accepted: AcceptedUpgrade, headers: Headers) => Response;

/**
 * Answers a request, and upgrades it when the application accepted that and nothing further out gave
 * another answer.
 */
export async function answerHandshake<ServerRequest extends Request>(
  request: ServerRequest,
  answer: (request: ServerRequest) => Response | Promise<Response>,
  upgrade: Upgrade,
): Promise<Response> {
  const slot = offerUpgrade(request, () => Promise.resolve());
  const response = await answer(request);
  if (response.status !== 101 || slot.accepted === undefined) return response;
  return upgrade(slot.accepted, response.headers);
}

/** Whether a request asks for a WebSocket; the rest of what RFC 6455, 4.2.1 asks for is the application's. */
export function isHandshake({ headers }: Request): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}
