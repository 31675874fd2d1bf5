import { describe, it } from 'vitest';

/**
 * A suite that needs a server which may not be on this machine. Without it the suite is skipped, and says why; where
 * `CI` is `true` that is a failure, since there it would mean that nobody ran it.
 */
export function describeWith(title: string, whyNot: string | undefined, suite: () => void): void {
  if (whyNot === undefined) describe(title, suite);
  else if (process.env['CI'] !== 'true') describe.skip(`${title} (skipped: ${whyNot})`, suite);
  else failing(title, whyNot);
}

function failing(title: string, whyNot: string): void {
  describe(title, () => {
    it('has its server', () => {
      throw new Error(`${whyNot}; with CI=true this is a failure`);
    });
  });
}
