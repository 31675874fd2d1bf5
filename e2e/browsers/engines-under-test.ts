import { type EngineName, engineNames } from './engine.ts';
import { findBrowser } from './find-browsers.ts';

const asked = process.env['ENGINES']?.split(',') ?? engineNames;

/** The engines a spec is to run in, all or those in `ENGINES`; `installed` is for `describe.skipIf`. */
export const enginesUnderTest: readonly { readonly name: EngineName; readonly installed: boolean }[] = engineNames
  .filter((name) => asked.includes(name))
  .map((name) => ({ name, installed: findBrowser(name) !== undefined }));
