// What a Worker has comes with its bindings, and cron triggers follow its schedules: a bundle for it is
// not to carry the drivers of other platforms.

export const loadCronEngine = undefined;

export function createPlatformStore(): undefined {}

export function createPlatformQueue(): undefined {}
