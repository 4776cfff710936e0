import { Controller, cspNonce, HttpError, type RequestContext, ValidationError } from "espalier";
import type { Link, Links } from "./links.ts";
import { linkPage } from "./pages.ts";
import { linkRules } from "./rules.ts";
import { wantsHtml } from "./wants-html.ts";

/** Creates a link from the page's form or from JSON. */
export class CreateLink extends Controller.for({ inject: ["links"], body: linkRules }) {
  async handle(ctx: RequestContext) {
    const { url, slug, days } = this.body;
    const link = await this.services.links.create(new URL(url).href, days, slug);
    if (link === undefined) {
      throw new ValidationError([{ field: "slug", message: "slug is taken" }]);
    }
    const path = this.app.getRouter().url("links.show", { slug: link.slug });
    if (wantsHtml(ctx)) return this.redirect(path, 303);
    return this.created(linkView(ctx, link, 0), path);
  }
}

/** Returns the target of a link and the number of its clicks. */
export class ShowLink extends Controller.for({ inject: ["links"] }) {
  async handle(ctx: RequestContext) {
    const { links } = this.services;
    const link = await findLink(links, ctx);
    const clicks = await links.countClicks(link.slug);
    const view = linkView(ctx, link, clicks);
    if (!wantsHtml(ctx)) return this.success(view);
    return this.html(linkPage(cspNonce(ctx), link, view.shortUrl, clicks));
  }
}

/** Redirects to the target and counts the click after the response. */
export class FollowLink extends Controller.for({ inject: ["links"] }) {
  async handle(ctx: RequestContext) {
    const { slug, target } = await findLink(this.services.links, ctx);
    // HEAD comes from link checkers and previews and is not a click.
    if (ctx.method === "GET") {
      ctx.waitUntil(this.app.getQueue().enqueue("link.clicked", { slug }));
    }
    const response = this.redirect(target);
    // A cached redirect would skip the server, and its clicks would not be counted.
    response.headers.set("cache-control", "no-store");
    return response;
  }
}

async function findLink(links: Links, ctx: RequestContext): Promise<Link> {
  const { slug = "" } = ctx.params;
  const link = await links.find(slug);
  if (link === undefined) throw new HttpError(404, "Link not found.");
  if (links.hasExpired(link)) throw new HttpError(410, "This link has expired.");
  return link;
}

function linkView(ctx: RequestContext, { slug, target, expiresAtMs }: Link, clicks: number) {
  const path = ctx.app.getRouter().url("follow", { slug });
  const expiresAt = new Date(expiresAtMs).toISOString();
  return { slug, shortUrl: new URL(path, ctx.url).href, target, expiresAt, clicks };
}
