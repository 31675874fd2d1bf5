import { resolveConfig } from './config';
import type { OutboxConfig } from './options';

/**
 * Checks a config and gives it back, typed: one module that the worker and the page both import.
 * @throws OutboxError `bad-option` naming the option, the value and what is allowed
 */
export function defineOutbox<const Config extends OutboxConfig>(config: Config): Config {
  resolveConfig(config);
  return config;
}
