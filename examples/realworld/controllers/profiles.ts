import { Controller, type RequestContext } from "espalier";
import { viewerIdOf } from "../access.ts";
import { NotFound } from "../errors.ts";
import { byUsername } from "../rules.ts";

export class ShowProfile extends Controller.for({ inject: ["profiles"], params: byUsername }) {
  async handle(ctx: RequestContext) {
    const profile = await this.services.profiles.find(this.params.username, viewerIdOf(ctx));
    if (profile === undefined) throw new NotFound("profile");
    return this.json({ profile });
  }
}

export class FollowProfile extends Controller.for({ inject: ["profiles"], params: byUsername }) {
  async handle(ctx: RequestContext) {
    const { id } = ctx.requireUser();
    const profile = await this.services.profiles.follow(this.params.username, id);
    if (profile === undefined) throw new NotFound("profile");
    return this.json({ profile });
  }
}

export class UnfollowProfile extends Controller.for({ inject: ["profiles"], params: byUsername }) {
  async handle(ctx: RequestContext) {
    const { id } = ctx.requireUser();
    const profile = await this.services.profiles.unfollow(this.params.username, id);
    if (profile === undefined) throw new NotFound("profile");
    return this.json({ profile });
  }
}
