import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { greeting } from "../../applications.ts";
import { hostname, type Listen } from "./listen.ts";

/** No framework and no Web classes: what Node's own server can do at most. It only says hello. */
export const listen: Listen = ({ application }) =>
  new Promise((resolve, reject) => {
    if (application !== "hello") throw new Error("It takes part in hello alone.");
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
      response.end(greeting);
    });
    server.once("error", reject);
    server.listen(0, hostname, () => resolve((server.address() as AddressInfo).port)); // over TCP
  });
