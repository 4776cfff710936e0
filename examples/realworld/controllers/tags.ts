import { Controller } from "espalier";

export class ListTags extends Controller.for({ inject: ["tags"] }) {
  async handle() {
    return this.json({ tags: await this.services.tags.list(100) });
  }
}
