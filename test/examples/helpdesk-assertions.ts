import { randomBytes, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { signWebhook } from "../../src/index.ts";
import {
  createOrganisation,
  join,
  type Member,
  type Organisation,
  openTicket,
  password,
  readEvents,
  signIn,
  type TicketData,
  type Tokens,
} from "./helpdesk-client.ts";
import type { Receiver } from "./helpdesk-receiver.ts";
import { userLimit } from "./helpdesk-servers.ts";
import { dataOf, errorsOf, problemOf, type Send, withJson } from "./send.ts";

/** The running example, with two organisations. */
export interface Helpdesk {
  readonly send: Send;
  readonly receiver: Receiver;
  readonly heron: Organisation;
  readonly finch: Organisation;
}

export async function prepare(send: Send, receiver: Receiver): Promise<Helpdesk> {
  const heron = await createOrganisation(send);
  const finch = await createOrganisation(send);
  return { send, receiver, heron, finch };
}

interface Assertion {
  readonly title: string;
  run(helpdesk: Helpdesk): Promise<void>;
}

const missing = (what: string) => [404, `The ${what} does not exist.`];

/** Cases that hold on every platform. */
export const assertions: readonly Assertion[] = [
  {
    title: "an address is registered once in an organisation, and in others too",
    async run({ send, heron, finch }) {
      const { email } = heron.customer;
      const account = { email: email.toUpperCase(), name: "Linnet", password };
      const again = await send(`/api/${heron.slug}/sign-up`, withJson("POST", account));
      expect(await problemOf(again)).toEqual([409, "This e-mail address is already registered."]);
      const elsewhere = await send(`/api/${finch.slug}/sign-up`, withJson("POST", account));
      expect(elsewhere.status).toBe(201);
      const nowhere = await send("/api/no-such/sign-up", withJson("POST", account));
      expect(await problemOf(nowhere)).toEqual(missing("organisation"));
      const { slug } = heron;
      const organisation = { slug, organisation: "Other", email, name: "Rail", password };
      const taken = await send("/api/organisations", withJson("POST", organisation));
      expect(await problemOf(taken)).toEqual([409, `The organisation ${slug} already exists.`]);
    },
  },
  {
    title: "of two organisations with one slug that are created at once, one is a 409",
    async run({ send }) {
      const slug = `twin-${crypto.randomUUID().slice(0, 8)}`;
      const organisation = {
        slug,
        organisation: "Twin",
        email: "a@b.example",
        name: "A",
        password,
      };
      const create = () => send("/api/organisations", withJson("POST", organisation));
      const responses = await Promise.all([create(), create()]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    },
  },
  {
    title: "a wrong password, an unknown address and an unknown organisation are the same 401",
    async run({ send, heron }) {
      const { email } = heron.customer;
      const attempts = [
        [heron.slug, { email, password: "a-guess" }],
        [heron.slug, { email: "unknown@mail.example", password }],
        ["no-such", { email, password }],
      ] as const;
      for (const [slug, body] of attempts) {
        const response = await send(`/api/${slug}/sign-in`, withJson("POST", body));
        const expected = [401, "The e-mail address or the password is wrong."];
        expect(await problemOf(response)).toEqual(expected);
      }
    },
  },
  {
    title: "invalid input lists its fields",
    async run({ heron: { customer } }) {
      const empty = await customer.send("/tickets", withJson("POST", { subject: " " }));
      expect(await errorsOf(empty)).toEqual([
        422,
        { subject: expect.any(String), body: "body is required" },
      ]);
      const nul = Buffer.from(JSON.stringify(["\0", "\0"])).toString("base64url");
      for (const cursor of ["x", nul]) {
        expect((await customer.send(`/tickets?cursor=${cursor}`)).status, cursor).toBe(422);
      }
      const text = { subject: "One\nTwo", body: "\0" };
      expect(await errorsOf(await customer.send("/tickets", withJson("POST", text)))).toEqual([
        422,
        { subject: expect.any(String), body: expect.any(String) },
      ]);
      for (const path of ["/tickets/not-a-ticket", "/tickets/%00", `/tickets/${randomUUID()}`]) {
        // nginx itself rejects NUL, with 400.
        expect([404, path.includes("%00") ? 400 : 404], path).toContain(
          (await customer.send(path)).status,
        );
      }
    },
  },
  {
    title: "refresh tokens rotate, and a sign-out takes effect at once",
    async run({ send, heron: { slug, other } }) {
      const first = await signIn(send, slug, other.email);
      const { refreshToken } = first;
      const refreshed = await send(`/api/${slug}/refresh`, withJson("POST", { refreshToken }));
      expect(refreshed.headers.get("cache-control")).toBe("no-store");
      const next = await dataOf<Tokens>(refreshed);
      expect(next.refreshToken).not.toBe(refreshToken);
      const body = { refreshToken: next.refreshToken };
      const out = await send(`/api/${slug}/sign-out`, withJson("POST", body));
      expect(out.status).toBe(204);
      expect((await first.send("/me")).status).toBe(401);
      const late = await send(`/api/${slug}/refresh`, withJson("POST", body));
      expect(await problemOf(late)).toEqual([
        401,
        "The refresh token is not valid. Sign in again.",
      ]);
      // Another sign-in of the same user is not affected.
      expect((await other.send("/me")).status).toBe(200);
    },
  },
  {
    title: "roles decide, and a change takes effect with the next request",
    async run({ send, heron: { slug, admin, agent } }) {
      const rail = await join(send, slug, "Rail");
      expect((await agent.send("/users")).status).toBe(403);
      const promote = withJson("PUT", { role: "admin" });
      expect((await agent.send(`/users/${rail.id}/role`, promote)).status).toBe(403);
      expect((await rail.send("/tickets/counts")).status).toBe(403);
      expect((await admin.send(`/users/${rail.id}/role`, promote)).status).toBe(200);
      expect((await rail.send("/users?limit=100")).status).toBe(200);
      expect((await admin.send(`/users/${randomUUID()}/role`, promote)).status).toBe(404);
      const unknown = await admin.send(`/users/${rail.id}/role`, withJson("PUT", { role: "root" }));
      expect(unknown.status).toBe(422);
    },
  },
  {
    title: "an organisation sees nothing of another",
    async run({ send, heron, finch }) {
      const ticket = await openTicket(heron.customer);
      const headers = { authorization: `Bearer ${heron.admin.accessToken}` };
      for (const path of ["/tickets", "/users", "/me", "/events", "/webhooks"]) {
        const response = await send(`/api/${finch.slug}${path}`, { headers });
        expect(await problemOf(response), path).toEqual(missing("organisation"));
      }
      const path = `/tickets/${ticket.id}`;
      for (const below of ["", "/comments", "/attachments"]) {
        const response = await finch.admin.send(`${path}${below}`);
        expect(await problemOf(response), below).toEqual(missing("ticket"));
      }
      const assign = withJson("PATCH", { assigneeId: finch.agent.id });
      expect((await heron.agent.send(path, assign)).status).toBe(422);
    },
  },
  {
    title: "a ticket goes from its customer to an agent and back",
    async run({ heron: { agent, customer, other } }) {
      const { id } = await openTicket(customer);
      const path = `/tickets/${id}`;
      expect(await problemOf(await other.send(path))).toEqual(missing("ticket"));
      expect((await customer.send(path, withJson("PATCH", { status: "solved" }))).status).toBe(403);
      const changes = withJson("PATCH", { status: "pending", assigneeId: agent.id });
      const changed = await dataOf<TicketData>(await agent.send(path, changes));
      expect(changed).toMatchObject({ status: "pending", assigneeId: agent.id });
      const asked = await agent.send(`${path}/comments`, withJson("POST", { body: "Which?" }));
      expect(asked.status).toBe(201);
      expect((await dataOf<TicketData>(await customer.send(path))).status).toBe("pending");
      await customer.send(`${path}/comments`, withJson("POST", { body: "The blue one." }));
      expect((await dataOf<TicketData>(await customer.send(path))).status).toBe("open");
      const comments = await dataOf<{ body: string }[]>(await agent.send(`${path}/comments`));
      expect(comments.map(({ body }) => body)).toEqual(["Which?", "The blue one."]);
      const free = await agent.send(path, withJson("PATCH", { assigneeId: null }));
      expect((await dataOf<TicketData>(free)).assigneeId).toBeNull();
    },
  },
  {
    title: "lists are paginated, filtered, and those of a customer are the customer's",
    async run({ send, heron: { slug, agent } }) {
      const dunlin = await join(send, slug, "Dunlin");
      const opened: string[] = [];
      for (const subject of ["One", "Two", "Three"]) {
        opened.unshift((await openTicket(dunlin, subject)).id);
      }
      const read = async (member: Member, query: string) =>
        (await (await member.send(`/tickets?${query}`)).json()) as {
          data: TicketData[];
          pagination: { next: string | null };
        };
      const first = await read(dunlin, "limit=2");
      const second = await read(dunlin, `limit=2&cursor=${first.pagination.next}`);
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(opened);
      expect(second.pagination.next).toBeNull();
      await agent.send(`/tickets/${opened[0]}`, withJson("PATCH", { status: "solved" }));
      const solved = await read(dunlin, "status=solved");
      expect(solved.data.map(({ id }) => id)).toEqual([opened[0]]);
      const counts = await dataOf<object>(await agent.send("/tickets/counts"));
      expect(Object.keys(counts).sort()).toEqual(["open", "pending", "solved"]);
    },
  },
  {
    title: "attachments are streamed up and down, with ranges",
    async run({ heron: { agent, customer, other } }) {
      const { id } = await openTicket(customer);
      const path = `/tickets/${id}/attachments`;
      const bytes = randomBytes(3_000_000);
      const headers = { "content-type": "image/png", "content-length": String(bytes.length) };
      const upload = { method: "POST", body: bytes, headers };
      const target = `${path}?name=${encodeURIComponent("screen shot.png")}`;
      expect((await other.send(target, upload)).status).toBe(404);
      const created = await dataOf<{ id: string }>(await customer.send(target, upload));
      expect(created).toMatchObject({
        name: "screen shot.png",
        type: "image/png",
        size: 3_000_000,
      });
      const whole = await agent.send(`${path}/${created.id}`);
      expect(whole.headers.get("content-disposition")).toContain("attachment");
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
      const range = { headers: { range: "bytes=1000-1999" } };
      const part = await agent.send(`${path}/${created.id}`, range);
      expect(part.status).toBe(206);
      const expected = bytes.subarray(1000, 2000);
      expect(Buffer.from(await part.arrayBuffer()).equals(expected)).toBe(true);
      expect((await other.send(`${path}/${created.id}`)).status).toBe(404);
      expect((await agent.send(`${path}/${randomUUID()}`)).status).toBe(404);
      const traversal = await customer.send(`${path}?name=${encodeURIComponent("../x")}`, upload);
      expect(traversal.status).toBe(422);
      expect(await dataOf<object[]>(await customer.send(path))).toHaveLength(1);
    },
  },
  {
    title: "an inbound webhook opens a ticket once, and a reply is a comment",
    async run({ send, heron: { slug, inboundSecret, customer } }) {
      const receive = async (
        message: object,
        secret = inboundSecret,
        id = `msg_${randomUUID()}`,
      ) => {
        const body = JSON.stringify(message);
        const signature = await signWebhook({ id, body }, secret);
        const headers = { "content-type": "application/json", ...signature };
        return send(`/api/${slug}/inbound/mail`, { method: "POST", body, headers });
      };
      const subject = `By mail ${randomUUID()}`;
      const message = { from: customer.email, subject, text: "It still hums." };
      const forged = await receive(message, `whsec_${randomBytes(32).toString("base64")}`);
      expect(forged.status).toBe(403);
      const id = `msg_${randomUUID()}`;
      expect((await receive(message, inboundSecret, id)).status).toBe(204);
      expect((await receive(message, inboundSecret, id)).status).toBe(204);
      expect((await receive({ ...message, from: "unknown@mail.example" })).status).toBe(204);
      const listed = await dataOf<TicketData[]>(await customer.send("/tickets?limit=100"));
      const opened = listed.filter((ticket) => ticket.subject === subject);
      expect(opened).toHaveLength(1);
      const ticketId = opened[0]?.id ?? "";
      expect((await receive({ ...message, ticketId })).status).toBe(204);
      const comments = await customer.send(`/tickets/${ticketId}/comments`);
      expect(await dataOf<object[]>(comments)).toMatchObject([{ body: "It still hums." }]);
    },
  },
  {
    title: "a change is mailed, and sent as a signed webhook that is repeated with its id",
    async run({ receiver, heron: { admin, agent, customer } }) {
      const url = `${receiver.origin}/flaky/${randomUUID()}`;
      const added = await admin.send("/webhooks", withJson("POST", { url }));
      const { id, secret } = await dataOf<{ id: string; secret: string }>(added);
      const ticket = await openTicket(customer, `Mail ${randomUUID()}`);
      const update = withJson("PATCH", { status: "pending" });
      expect((await agent.send(`/tickets/${ticket.id}`, update)).status).toBe(200);
      const messages = () =>
        receiver.received.filter(
          ({ path, body }) => path === "/mail" && body.includes(ticket.subject),
        );
      await expect.poll(messages, { timeout: 20_000 }).toHaveLength(1);
      const [message] = messages();
      expect(JSON.parse(message?.body ?? "")).toMatchObject({
        to: customer.email,
        subject: `Ticket changed: ${ticket.subject}`,
      });
      expect(message?.headers["idempotency-key"]).toEqual(expect.any(String));
      // Changes of earlier tests may be delivered too, and the first delivery fails.
      const deliveries = () => receiver.received.filter(({ path }) => url.endsWith(path));
      const idsOf = (content: string) =>
        deliveries()
          .filter(({ body }) => body.includes(content))
          .map(({ headers }) => headers["webhook-id"]);
      await expect.poll(() => new Set(idsOf(ticket.id)).size, { timeout: 30_000 }).toBe(2);
      const repetitions = () => idsOf("").length - new Set(idsOf("")).size;
      await expect.poll(repetitions, { timeout: 30_000 }).toBe(1);
      for (const { headers, body } of deliveries()) {
        const timestamp = new Date(Number(headers["webhook-timestamp"]) * 1000);
        const signed = { id: String(headers["webhook-id"]), body, timestamp };
        expect(await signWebhook(signed, secret)).toEqual({
          "webhook-id": headers["webhook-id"],
          "webhook-timestamp": headers["webhook-timestamp"],
          "webhook-signature": headers["webhook-signature"],
        });
      }
      const shown = await (await admin.send("/webhooks")).text();
      expect(shown).toContain(url);
      expect(shown).not.toContain(secret);
      expect((await admin.send(`/webhooks/${id}`, { method: "DELETE" })).status).toBe(204);
      expect((await admin.send(`/webhooks/${id}`, { method: "DELETE" })).status).toBe(404);
    },
  },
  {
    title: "clients follow the changes that they may see",
    async run({ heron: { agent, customer, other } }) {
      const [byAgent, byOther] = await Promise.all([agent.send("/events"), other.send("/events")]);
      expect(byAgent.headers.get("content-type")).toContain("text/event-stream");
      const read = Promise.all([readEvents(byAgent, 3), readEvents(byOther, 2)]);
      // The streams are open once their first event is there; changes before it are in the list.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const mine = await openTicket(customer);
      const theirs = await openTicket(other);
      const [seenByAgent, seenByOther] = await read;
      expect(seenByAgent[0]).toContain("event: ready");
      expect(seenByAgent[1]).toMatch(/^event: ticket.opened$/m);
      expect(seenByAgent[1]).toContain(mine.id);
      expect(seenByAgent[2]).toContain(theirs.id);
      expect(seenByOther[1]).toContain(theirs.id);
      expect(seenByOther.join()).not.toContain(mine.id);
    },
  },
  {
    title: "limits count by user, exactly",
    async run({ send, finch: { slug } }) {
      const counted = await join(send, slug, "Curlew");
      const other = await join(send, slug, "Plover");
      const statuses: number[] = [];
      for (let sent = 0; sent < 110; sent += 11) {
        const batch = Array.from({ length: 11 }, () => counted.send("/me"));
        for (const response of await Promise.all(batch)) {
          statuses.push(response.status);
          await response.body?.cancel();
        }
      }
      // The client has sent one request after its sign-in.
      expect(statuses.filter((status) => status === 200)).toHaveLength(userLimit - 1);
      expect(statuses.filter((status) => status === 429)).toHaveLength(11);
      expect((await other.send("/me")).status).toBe(200);
    },
  },
  {
    title: "is healthy",
    async run({ send }) {
      const response = await send("/health");
      expect(await response.json()).toMatchObject({ status: "pass", checks: { database: {} } });
    },
  },
];
