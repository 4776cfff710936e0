import { Application, json } from "espalier";
import { upgradeWebSocket } from "espalier/websocket";

const app = new Application({ host: "127.0.0.1" });
const closes: number[] = [];
let largest = 0;
let ended = 0;
/** Largest number of bytes that waited in small messages, once their connection was closed. */
let smallBytes: number | undefined;
const router = app.getRouter();
router.get("/closes", () => json({ closes, largest, ended, smallBytes }));
router.get("/flood", (ctx) =>
  upgradeWebSocket(
    ctx,
    {
      async open(socket) {
        const message = new Uint8Array(256 * 1024);
        for (let sent = 0; sent < 120 && socket.isOpen; sent += 1) {
          socket.send(message);
          largest = Math.max(largest, socket.bufferedBytes);
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
        if (!socket.isOpen) ended += 1;
      },
      close: (_socket, { code }) => void closes.push(code),
    },
    { maxBufferedBytes: 4 * 1024 * 1024 },
  ),
);

router.get("/small", (ctx) =>
  upgradeWebSocket(
    ctx,
    {
      async open(socket) {
        let largestSmall = 0;
        for (let sent = 0; sent < 10_000_000 && socket.isOpen; sent += 1) {
          socket.send("ok");
          largestSmall = Math.max(largestSmall, socket.bufferedBytes);
          if (sent % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
        }
        smallBytes = socket.isOpen ? undefined : largestSmall;
      },
    },
    { maxBufferedBytes: 4 * 1024 * 1024 },
  ),
);

router.get("/steady", (ctx) =>
  upgradeWebSocket(
    ctx,
    {
      async open(socket) {
        const message = new Uint8Array(256 * 1024);
        for (let sent = 0; sent < 40; sent += 1) {
          socket.send(message);
          while (socket.bufferedBytes > 0) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        socket.close();
      },
      close: (_socket, { code }) => void closes.push(code),
    },
    { maxBufferedBytes: 1024 * 1024 },
  ),
);

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
