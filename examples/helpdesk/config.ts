import type { Application } from "espalier";

/** Section `access` of the configuration. */
export interface AccessConfig {
  readonly environment: "development" | "production";
  /** Signs the tokens. */
  readonly secret: string;
  /** Encrypts the secrets of webhooks in the database: 32 bytes in base64. */
  readonly encryptionKey: string;
  /** Requests that a user may send in a minute. */
  readonly userLimit: number;
}

/** Section `mail` of the configuration. Without a URL, messages are logged. */
export interface MailConfig {
  readonly url?: string;
  readonly token?: string;
  readonly from: string;
}

/** Public, since they are in this file: production refuses them. */
const development = {
  secret: "this-development-secret-is-public",
  encryptionKey: "ZGV2ZWxvcG1lbnQtb25seS1rZXktMzItYnl0ZXMtISE=",
};

/** Declares the configuration, and refuses to boot in production with values for development. */
export function configure(app: Application): void {
  app.configure("access", {
    schema: {
      environment: { enum: ["development", "production"] },
      secret: { type: "string", min: 32 },
      encryptionKey: { type: "string", min: 44, max: 44 },
      userLimit: { type: "integer", min: 1 },
    },
    defaults: { environment: "development", userLimit: 300, ...development },
    // HELPDESK_ENVIRONMENT, HELPDESK_SECRET, HELPDESK_ENCRYPTION_KEY and HELPDESK_USER_LIMIT.
    envPrefix: "HELPDESK_",
  });
  // MAIL_URL, MAIL_TOKEN and MAIL_FROM.
  app.configure("mail", {
    schema: { url: String, token: String, from: String },
    defaults: { from: "Helpdesk <helpdesk@mail.example>" },
  });
  app.registerProvider({
    register() {},
    boot() {
      const access = app.getConfig("access");
      if (access.environment === "development") return;
      for (const name of ["secret", "encryptionKey"] as const) {
        if (access[name] !== development[name]) continue;
        throw new Error(`access.${name} has the value for development. Set a secret value.`);
      }
    },
  });
}
