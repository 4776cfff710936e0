import { DatabaseSync } from "node:sqlite";
import type { Application, Provider } from "espalier";
import { migrate } from "./migrate.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

/** Opens and migrates a database file, and closes it when the application stops. */
export class SqliteProvider implements Provider<Application> {
  readonly #path: string;
  readonly #migrations: URL;
  #connection: DatabaseSync | undefined;

  /** @param path a file, created if missing; `:memory:` for a database that is not persistent */
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
    // Write-ahead logging: readers are not blocked by a writer.
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    migrate(connection, this.#migrations);
    this.#connection = connection;
    return connection;
  }
}
