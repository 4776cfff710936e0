import { Controller } from "espalier";
import type { Tags } from "../repositories/tags.ts";

export class ListTags extends Controller {
  static readonly inject = ["tags"];
  readonly #tags: Tags;

  constructor(tags: Tags) {
    super();
    this.#tags = tags;
  }

  async handle(): Promise<Response> {
    return this.json({ tags: await this.#tags.list(100) });
  }
}
