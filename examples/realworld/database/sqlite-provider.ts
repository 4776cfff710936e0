import { DatabaseSync } from "node:sqlite";
import type { Application, Provider } from "espalier";
import { migrate } from "./migrate.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

/** Opens a database file, brings it up to date, and closes it when the application stops. */
export class SqliteProvider implements Provider<Application> {
  readonly #path: string;
  readonly #migrations: URL;
  #connection: DatabaseSync | undefined;

  /** @param path a file, made when it is not there; `:memory:` for a database that is forgotten */
  constructor(path: string, migrations: URL) {
    this.#path = path;
    this.#migrations = migrations;
  }

  register(app: Application): void {
    app.singleton("database", () => new SqliteDatabase(this.#open()));
  }

  boot(app: Application): void {
    app.resolve("database");
  }

  shutdown(): void {
    this.#connection?.close();
  }

  #open(): DatabaseSync {
    const connection = new DatabaseSync(this.#path);
    // Readers do not wait for a writer.
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    migrate(connection, this.#migrations);
    this.#connection = connection;
    return connection;
  }
}
