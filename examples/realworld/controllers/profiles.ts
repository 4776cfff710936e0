import { Controller, type RequestContext } from "espalier";
import { userIdOf, viewerIdOf } from "../access.ts";
import { NotFound } from "../errors.ts";
import type { Profiles } from "../repositories/profiles.ts";
import { byUsername } from "../rules.ts";

export class ShowProfile extends Controller.for({ params: byUsername }) {
  static readonly inject = ["profiles"];
  readonly #profiles: Profiles;

  constructor(profiles: Profiles) {
    super();
    this.#profiles = profiles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const profile = await this.#profiles.find(this.params.username, viewerIdOf(ctx));
    if (profile === undefined) throw new NotFound("profile");
    return this.json({ profile });
  }
}

export class FollowProfile extends Controller.for({ params: byUsername }) {
  static readonly inject = ["profiles"];
  readonly #profiles: Profiles;

  constructor(profiles: Profiles) {
    super();
    this.#profiles = profiles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const profile = await this.#profiles.follow(this.params.username, userIdOf(ctx));
    if (profile === undefined) throw new NotFound("profile");
    return this.json({ profile });
  }
}

export class UnfollowProfile extends Controller.for({ params: byUsername }) {
  static readonly inject = ["profiles"];
  readonly #profiles: Profiles;

  constructor(profiles: Profiles) {
    super();
    this.#profiles = profiles;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const profile = await this.#profiles.unfollow(this.params.username, userIdOf(ctx));
    if (profile === undefined) throw new NotFound("profile");
    return this.json({ profile });
  }
}
