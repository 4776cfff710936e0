import { Application, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "VALUE-OF-A-SECRET";

/** The access records of one request, as text. */
async function logOf(path: string, init: RequestInit = {}): Promise<string> {
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  app.useRequestObservability({ includeBody: true, includeHeaders: true });
  app.getRouter().all("/", () => text("ok"));
  await app.request(path, init);
  expect(logger.lines).toHaveLength(1);
  return JSON.stringify(logger.lines);
}

describe("the access log does not contain the value of", () => {
  test.each([
    ..."code sig X-Amz-Signature X-Amz-Credential X-Amz-Security-Token X-Goog-Signature jwt otp key".split(
      " ",
    ),
    ..."id_token code_verifier samlresponse hmac access_token api_key".split(" "),
  ])("%s in the query", async (name) => {
    expect(await logOf(`/?page=2&${name}=${secret}`)).not.toContain(secret);
  });

  test.each([
    // Names of cards, identity and sign-in.
    ..."cvv cvc ssn pin otp session sid card_number cardNumber iban passport".split(" "),
    // Filtered by default in Rails.
    ..."passw email secret token _key crypt salt certificate otp ssn cvv cvc".split(" "),
    // Scrubbed by default in Sentry.
    ..."password secret passwd api_key apikey auth credentials mysql_pwd privatekey private_key token".split(
      " ",
    ),
    ..."session csrftoken sessionid remote_addr x_csrftoken x_forwarded_for set_cookie cookie".split(
      " ",
    ),
    ..."authorization proxy-authorization x_api_key aiohttp_session connect.sid csrf _csrf".split(
      " ",
    ),
    ..."PHPSESSID _session symfony user_session _xsrf XSRF-TOKEN ip_address".split(" "),
    // What the logging cheat sheet of OWASP excludes.
    ..."access_token encryption_key connection_string database_url account_number bank_account".split(
      " ",
    ),
  ])("%s in a body", async (name) => {
    const body = JSON.stringify({ order: { [name]: secret } });
    const headers = { "content-type": "application/json" };
    expect(await logOf("/", { method: "POST", body, headers })).not.toContain(secret);
  });

  test.each([
    ..."x-goog-iap-jwt-assertion cf-access-jwt-assertion stripe-signature authorization cookie".split(
      " ",
    ),
    ..."x-api-key x-hub-signature-256 x-amz-security-token x-csrf-token dpop x-ms-client-principal".split(
      " ",
    ),
    ..."x-forwarded-for x-real-ip cf-connecting-ip true-client-ip forwarded".split(" "),
    ..."x-amzn-oidc-data x-twilio-signature x-slack-signature x-vercel-oidc-token".split(" "),
  ])("the header %s", async (name) => {
    expect(await logOf("/", { headers: { [name]: secret } })).not.toContain(secret);
  });
});

test("the access log shows names that only resemble those of secrets", async () => {
  const names = "shipping keyboard author country_code status page monkey opinion".split(" ");
  const query = names.map((name, at) => `${name}=shown-${at}`).join("&");
  const log = await logOf(`/?${query}`);
  for (const [at] of names.entries()) expect(log).toContain(`shown-${at}`);
});
