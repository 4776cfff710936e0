/** A framework whose test titles are drawn. */
export interface Project {
  readonly name: string;
  /** Repository on GitHub; its checkout has the name after the slash. */
  readonly repository: string;
  /** The commit whose titles were drawn. */
  readonly commit: string;
  /** Number of titles that are drawn. */
  readonly share: number;
  /** Paths of the files whose subject exists here. */
  readonly files: RegExp;
}

/**
 * The frameworks, and the parts of each that have a counterpart here. Templates, databases, mail, consoles,
 * adapters of other platforms and tests of types are left out: nothing could be compared.
 */
export const projects: readonly Project[] = [
  {
    name: "Hono",
    repository: "honojs/hono",
    commit: "28a9c128912de19f3fb28b00ae289c9b93f6f392",
    share: 40,
    files:
      /^src\/(?:(?:compose|context|hono|http-exception|request|router)|router\/(?:common\.case|trie-router\/.*|reg-exp-router\/router)|helper\/(?:accepts|cookie|factory|proxy|streaming|websocket)\/.*|validator\/.*|utils\/(?:accept|body|cookie|encode|ipaddr|jwt\/.*|mime|url)|middleware\/(?:basic-auth|bearer-auth|body-limit|combine|compress|cors|csrf|etag|ip-restriction|jwk|jwt|logger|method-not-allowed|request-id|secure-headers|timeout|timing|trailing-slash)\/.*)\.test\.tsx?$/,
  },
  {
    name: "h3",
    repository: "h3js/h3",
    commit: "1892ee9cae06533c7db72a5213bceda61cc1d58d",
    share: 30,
    files: /^test\/(?:unit\/)?[\w-]+\.test\.ts$/,
  },
  {
    name: "Fastify",
    repository: "fastify/fastify",
    commit: "83e69762aff047940b376fc2a266d143499ef727",
    share: 40,
    files:
      /^test\/(?:http-methods\/[\w-]+|404s|500s|als|async-await|body-limit|case-insensitive|close-pipelining|close|connection-timeout|constrained-routes|content-length|content-parser|content-type|decorator|delete|encapsulated-error-handler|find-route|genReqId|handler-context|handler-timeout|has-route|header-overflow|hooks-async|hooks|input-validation|inject|keep-alive-timeout|listen\.\d|nullable-validation|options|output-validation|patch|plugin\.\d|post-empty-body|promises|proto-poisoning|put|register|reply-code|reply-error|request-error|request-header-host|request-id|request-port|request-timeout|route-hooks|route-prefix|route-shorthand|route\.\d|schema-validation|serialize-response|set-error-handler|stream\.\d|throw|trust-proxy|upgrade|url-rewriting|validation-error-handling|web-api)(?:\.test)?\.js$/,
  },
  {
    name: "AdonisJS",
    repository: "adonisjs/http-server",
    commit: "17e5d37bb284262f62e7478de79d9e82a4751f5b",
    share: 25,
    files: /^tests\/(?!typings|.*types).*\.spec\.ts$/,
  },
  {
    name: "vine",
    repository: "vinejs/vine",
    commit: "02d3a28048cfb96f227ee2d69a79be3087e9403e",
    share: 25,
    files: /^tests\/(?!types).*\.spec\.ts$/,
  },
  {
    name: "Laravel",
    repository: "laravel/framework",
    commit: "bd71b45fbb7e672957bf6ff61baddefe15fbca6a",
    share: 40,
    files:
      /^tests\/(?:Auth|Bus|Cache|Config|Container|Cookie|Encryption|Events|Hashing|Http|Log|Pagination|Pipeline|Queue|Routing|Session|Validation|Console\/Scheduling|Integration\/(?:Auth|Cache|Container|Cookie|Events|Http|Queue|Routing|Session|Validation))\/.*Test\.php$/,
  },
];
