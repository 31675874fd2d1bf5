import { afterEach, describe, expect, it } from 'vitest';
import { server, userEvent } from 'vitest/browser';
import './define';
import { everyKind } from './fixtures/every-kind';
import { fakeOutbox } from './fixtures/fake-outbox';
import { mount, type Mounted } from './fixtures/mount';

/** Real keys need a driver that can press them; the WebDriver of WebKitGTK used here runs scripts only. */
const canPress = server.browser !== 'webkit';

let mounted: Mounted | undefined;
afterEach(() => mounted?.remove());

/** Puts the focus on a control. */
function start(selector: string): void {
  mounted?.find(selector).focus();
}

/** What has the focus, in a few words. */
function focused(): string {
  const element = mounted?.root.activeElement as HTMLElement | null;
  if (!element) return 'outside';
  const { act, field, id = '', draft } = element.dataset;
  return [act ?? field ?? draft ?? (element.getAttribute('name') || element.localName), id].filter(Boolean).join(' ');
}

async function press(keys: string): Promise<string> {
  await userEvent.keyboard(keys);
  await mounted?.updated();
  return focused();
}

describe.runIf(canPress)('the keyboard alone', () => {
  it('reaches everything in the order it is read, and leaves again', async () => {
    document.documentElement.lang = 'en';
    mounted = await mount(fakeOutbox(everyKind()));
    // Something to come from and go to: past the last control the focus would leave the page, and the keys with it.
    const [before, after] = [document.createElement('button'), document.createElement('button')];
    mounted.host.before(before);
    mounted.host.after(after);
    before.focus();
    const walk: string[] = [];
    for (let at = await press('{Tab}'); at !== 'outside' && walk.length < 60; at = await press('{Tab}')) walk.push(at);
    expect(walk).toEqual([
      'sendNow',
      'pause',
      'group attention',
      'group sending',
      'group waiting',
      'group confirmed',
      'query',
      'route',
      'skip',
      'pickAll',
      'pick dead-1',
      'fold dead-1',
      'pick dead-2',
      'fold dead-2',
      'fold sending',
      'fold waiting',
      'fold unknown',
      'fold note',
      'fold delivered',
      'exportAll',
    ]);
    expect(document.activeElement).toBe(after);
    before.remove();
    after.remove();
  });

  it('takes a dead letter from its row to sent again', async () => {
    const fake = fakeOutbox(everyKind());
    fake.contents.set('dead-1', {
      method: 'POST',
      url: 'https://api.example/orders',
      headers: [],
      body: new Blob(['{"qty":0}'], { type: 'application/json' }),
    });
    mounted = await mount(fake);
    start('[data-act=skip]');
    expect(await press('{Tab}{Tab}{Tab}')).toBe('fold dead-1');
    await press('{Enter}');
    expect(await press('{Tab}')).toBe('replay dead-1');
    expect(await press('{Tab}')).toBe('fix dead-1');
    await press('{Enter}');
    await mounted.until(() => !!mounted?.root.querySelector('textarea'));
    expect(mounted.find<HTMLDialogElement>('dialog').open).toBe(true);
    expect(focused()).toBe('body');
    await press('{Control>}a{/Control}');
    await userEvent.keyboard('2');
    expect(await press('{Tab}')).toBe('back');
    expect(await press('{Tab}{Tab}')).toBe('button');
    await press(' ');
    await mounted.until(() => fake.calls.some(([method]) => method === 'dead.replay'));
    expect(mounted.find<HTMLDialogElement>('dialog').open).toBe(false);
    expect(focused()).toBe('fold dead-1');
  });

  it('closes a question with Escape and is back where it was opened', async () => {
    mounted = await mount(fakeOutbox(everyKind()));
    start('[data-act=fold][data-id=waiting]');
    await press('{Enter}');
    expect(await press('{Tab}{Tab}{Tab}')).toBe('cancel waiting');
    expect(await press('{Enter}')).toBe('back');
    expect(await press('{Escape}')).toBe('cancel waiting');
    expect(mounted.fake?.calls).toEqual([]);
  });

  it('stays on a control that takes the place of another', async () => {
    mounted = await mount(fakeOutbox(everyKind()));
    start('[data-act=pause]');
    expect(await press('{Enter}')).toBe('resume');
    expect(await press('{Enter}')).toBe('pause');
    start('[data-act=pickAll]');
    await press('{Enter}');
    expect(mounted.find('[aria-labelledby=group-attention] .head').contains(mounted.root.activeElement)).toBe(true);
  });

  it('moves through the list by arrows, to both ends, and past it in one step', async () => {
    mounted = await mount(fakeOutbox(everyKind()));
    start('[data-act=fold][data-id=sending]');
    expect(await press('{ArrowDown}')).toBe('fold waiting');
    expect(await press('{ArrowUp}{ArrowUp}')).toBe('fold dead-2');
    expect(await press('{End}')).toBe('fold delivered');
    expect(await press('{Home}')).toBe('fold dead-1');
    start('[data-act=skip]');
    await press('{Enter}');
    expect(await press('{Tab}')).toBe('exportAll');
  });
});
