import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { greeting } from "../../applications.ts";
import { hostname, type Listen } from "./listen.ts";

/** `node:http` without a framework or Web classes: the upper bound on Node. Implements only `hello`. */
export const listen: Listen = ({ application }) =>
  new Promise((resolve, reject) => {
    if (application !== "hello") throw new Error("node:http implements only hello.");
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
      response.end(greeting);
    });
    server.once("error", reject);
    server.listen(0, hostname, () => resolve((server.address() as AddressInfo).port)); // over TCP
  });
