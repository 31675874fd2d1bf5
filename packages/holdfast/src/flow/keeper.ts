import type { GateKeeper } from '../core/gates';
import type { Context } from './context';

/** What the gates ask of the config and the platform at this moment. */
export function keeperOf({ config, system }: Context, subject: string | null): GateKeeper {
  const { metered } = config;
  return {
    subject,
    windowsOf: (route) => config.routeNamed(route).maintenance,
    keyRetentionOf: (route) => config.routeNamed(route).keyRetentionMs,
    bulkyFrom: metered && system.saysMetered() ? metered.fromPriority : null,
  };
}
