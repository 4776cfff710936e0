import { Controller } from "espalier";
import { greet, languages } from "../greetings.ts";

export class SendGreeting extends Controller.for({
  body: {
    name: { type: "string", required: true, max: 50 },
    email: { type: "email", required: true, max: 254 },
    language: { enum: languages, default: "en" },
  },
  responses: {
    202: {
      description: "Accepted; a job sends the email.",
      data: { job: { type: "string", required: true } },
    },
  },
}) {
  async handle() {
    const { name, email, language } = this.body;
    const job = await this.app
      .getQueue()
      .enqueue("greeting.send", { email, text: greet(name, language) });
    return this.success({ job }, 202);
  }
}
