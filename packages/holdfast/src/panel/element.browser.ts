import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutboxError } from '../core/errors';
import './define';
import { deadEntry, deliveredEntry, entry } from './fixtures/entries';
import { everyKind } from './fixtures/every-kind';
import { fakeOutbox } from './fixtures/fake-outbox';
import { mount, type Mounted } from './fixtures/mount';

let mounted: Mounted | undefined;
beforeEach(() => {
  document.documentElement.lang = 'en';
  document.title = 'panel';
});
afterEach(() => {
  mounted?.remove();
  mounted = undefined;
});

describe('what it shows', () => {
  it('shows every kind with its own word, and the app’s texts as text', async () => {
    mounted = await mount(fakeOutbox([entry({ title: '<img src=x onerror=alert(1)>' }), ...everyKind()]));
    expect(mounted.words('.state')).toEqual([
      'Needs attention',
      'Being looked after',
      'Sending',
      'Saved on this device',
      'Saved on this device',
      'Saved on this device',
      'Saved on this device',
      'Confirmed by server',
    ]);
    expect(mounted.words('.tile b')).toEqual(['2', '1', '4', '1']);
    expect(mounted.words('.title')).toContain('<img src=x onerror=alert(1)>');
    expect(mounted.root.querySelector('img')).toBeNull();
  });

  it('follows the outbox, and leaves no listener and no timer behind', async () => {
    const fake = fakeOutbox([entry()]);
    mounted = await mount(fake);
    fake.show([deliveredEntry()]);
    await mounted.updated();
    expect(mounted.words('.tile b')).toEqual(['0', '0', '0', '1']);
    mounted.remove();
    expect(fake.listeners()).toBe(0);
    expect(mounted.clock.timers()).toBe(0);
  });

  it('counts down', async () => {
    mounted = await mount(fakeOutbox([entry()]));
    expect(mounted.text('.line')).toContain('Next attempt in 12 seconds');
    await mounted.passMs(2_000);
    expect(mounted.text('.line')).toContain('Next attempt in 10 seconds');
  });

  it('says that storage is full when a request could not be kept, until one is kept again', async () => {
    const fake = fakeOutbox([]);
    mounted = await mount(fake);
    fake.emit({ type: 'error', code: 'quota-exceeded', message: 'raw' });
    await mounted.updated();
    expect(mounted.text('.notice')).toContain('Storage on this device is full');
    fake.emit({ type: 'queued', entry: entry() });
    await mounted.updated();
    expect(mounted.root.querySelector('.notice')).toBeNull();
  });

  it('says so when no outbox is connected', async () => {
    mounted = await mount(null);
    expect(mounted.text('.empty')).toBe('No outbox is connected to this panel.');
  });

  it('changes the language with the page, and runs right to left where the language does', async () => {
    mounted = await mount(fakeOutbox([entry()]));
    document.documentElement.lang = 'ar';
    await mounted.until(() => mounted?.text('h2') === 'صندوق الصادر');
    expect(mounted.root.querySelector('.panel')).toHaveProperty('dir', 'rtl');
    expect(getComputedStyle(mounted.find('.panel')).direction).toBe('rtl');
  });

  it('takes replaced texts, also those behind a click', async () => {
    mounted = await mount(fakeOutbox([entry({ id: 'a' })]), {
      texts: { heading: 'Pending orders', act: { cancel: 'Never mind' } },
    });
    expect(mounted.text('h2')).toBe('Pending orders');
    await mounted.click('[data-act=fold]');
    expect(mounted.text('[data-act=cancel]')).toBe('Never mind');
  });
});

describe('what a person can do', () => {
  it('sends now without waiting for the backoff, but not without a Retry-After', async () => {
    const fake = fakeOutbox([entry()]);
    mounted = await mount(fake);
    await mounted.click('[data-act=sendNow]');
    expect(fake.calls).toEqual([['flush', { ignoreBackoff: true }]]);
  });

  it('pauses and resumes', async () => {
    mounted = await mount(fakeOutbox([entry()]));
    await mounted.click('[data-act=pause]');
    expect(mounted.text('.lead p')).toContain('Paused until you resume.');
    await mounted.click('[data-act=resume]');
    expect(mounted.text('.lead p')).toContain('Next attempt');
  });

  it('cancels only after asking, and hands back the revision that was seen', async () => {
    const fake = fakeOutbox([entry({ id: 'a', revision: 7 })]);
    mounted = await mount(fake);
    await mounted.click('[data-act=fold]');
    await mounted.click('[data-act=cancel]');
    expect(mounted.find<HTMLDialogElement>('dialog').open).toBe(true);
    await mounted.click('[data-act=back]');
    expect(fake.calls).toEqual([]);
    await mounted.click('[data-act=cancel]');
    await mounted.click('dialog [type=submit]');
    expect(fake.calls).toEqual([['cancel', 'a', { revision: 7 }]]);
    expect(mounted.said()).toBe('Request cancelled.');
  });

  it('does not offer to take back what may have arrived', async () => {
    mounted = await mount(fakeOutbox([entry({ outcome: 'unknown', tries: 1 })]));
    await mounted.click('[data-act=fold]');
    expect(mounted.root.querySelector('[data-act=cancel]')).toBeNull();
    expect(mounted.text('.more')).toContain('may have reached the server already');
  });

  it('shows what went wrong in its own words, and says it once', async () => {
    const fake = fakeOutbox([entry({ id: 'a' })]);
    mounted = await mount(fake);
    fake.failNext('cancel', new OutboxError('changed-meanwhile', 'raw'));
    await mounted.click('[data-act=fold]');
    await mounted.click('[data-act=cancel]');
    await mounted.click('dialog [type=submit]');
    expect(mounted.text('.notice')).toContain('It changed meanwhile.');
    expect(mounted.said()).toContain('It changed meanwhile.');
    await mounted.click('[data-act=dismiss]');
    expect(mounted.root.querySelector('.notice')).toBeNull();
  });

  it('takes a dead letter on, fixes its JSON, and sends it again', async () => {
    const fake = fakeOutbox([deadEntry({ id: 'a' })]);
    fake.contents.set('a', {
      method: 'POST',
      url: 'https://api.example/orders',
      headers: [['content-type', 'application/json']],
      body: new Blob(['{"qty":0}'], { type: 'application/json' }),
    });
    mounted = await mount(fake, { assignee: 'Ada' });
    await mounted.click('[data-act=fold]');
    await mounted.click('[data-act=claim]');
    expect(mounted.text('.state')).toBe('Being looked after');

    await mounted.click('[data-act=fix]');
    await mounted.until(() => !!mounted?.root.querySelector('textarea'));
    await mounted.type('textarea', '{"qty":');
    await mounted.click('dialog [value=do]');
    expect(mounted.text('#problem')).toContain('not valid JSON');
    await mounted.type('textarea', '{"qty":2}');
    await mounted.click('dialog [value=do]');
    await mounted.until(() => mounted?.words('.state')[0] === 'Saved on this device');
    const [, , change] = fake.calls.find(([method]) => method === 'dead.fix') ?? [];
    expect(Object.keys(change as object)).toEqual(['body']);
    expect(await (change as { body: Blob }).body.text()).toBe('{"qty":2}');
    expect(fake.calls.map(([method]) => method)).toEqual(['dead.bulk', 'content', 'dead.fix', 'dead.replay']);
  });

  it('asks who takes it on and how it was settled, and does not accept silence', async () => {
    const fake = fakeOutbox([deadEntry({ id: 'a' })]);
    mounted = await mount(fake);
    await mounted.click('[data-act=fold]');
    await mounted.click('[data-act=close]');
    await mounted.click('dialog [type=submit]');
    expect(fake.calls).toEqual([]);
    expect(mounted.root.activeElement).toBe(mounted.find('[name=answer]'));
    await mounted.type('[name=answer]', 'Entered by hand');
    await mounted.click('dialog [type=submit]');
    expect(fake.calls).toEqual([['dead.bulk', { do: 'close', resolution: 'Entered by hand' }, { ids: ['a'] }]]);
    expect(mounted.words('.tile b')).toEqual(['0', '0', '0', '0']);
  });

  it('acts on all selected at once', async () => {
    const fake = fakeOutbox(everyKind());
    mounted = await mount(fake);
    await mounted.click('[data-act=pickAll]');
    expect(mounted.text('[part=bulk] .muted')).toBe('2 selected');
    await mounted.click('[data-act=bulkReplay]');
    expect(fake.calls).toEqual([['dead.bulk', { do: 'replay' }, { ids: ['dead-1', 'dead-2'] }]]);
    expect(mounted.said()).toBe('2 requests will be sent again.');
  });

  it('changes the urgency of one, and of a whole kind', async () => {
    const fake = fakeOutbox(everyKind());
    mounted = await mount(fake);
    await mounted.click('[data-id=waiting][data-act=fold]');
    await mounted.choose('[data-field=urgency]', '0');
    await mounted.choose('[data-field=route]', 'notes');
    expect(mounted.words('.title')).toEqual(['Note']);
    await mounted.choose('[data-field=urgencyOfAll]', '1');
    expect(fake.calls).toEqual([
      ['reprioritize', { ids: ['waiting'] }, 0],
      ['reprioritize', { route: 'notes', state: 'pending' }, 1],
    ]);
  });

  it('shows stored text with secrets left out, and a photo as a picture without a blob address', async () => {
    const fake = fakeOutbox([entry({ id: 'a' })]);
    const bitmap = new OffscreenCanvas(40, 20);
    bitmap.getContext('2d')?.fillRect(0, 0, 40, 20);
    const photo = await bitmap.convertToBlob({ type: 'image/png' });
    fake.contents.set('a', {
      method: 'PUT',
      url: 'https://x.example/p',
      headers: [['authorization', '[redacted]']],
      body: photo,
    });
    mounted = await mount(fake);
    await mounted.click('[data-act=fold]');
    await mounted.click('[data-act=content]');
    await mounted.until(() => !!mounted?.root.querySelector('canvas'));
    expect(mounted.find<HTMLCanvasElement>('canvas')).toMatchObject({ width: 40, height: 20 });
    expect(mounted.find('canvas').getAttribute('aria-label')).toContain('Preview of');
    expect(mounted.text('pre')).toBe('authorization: [redacted]');
    expect(fake.calls).toEqual([['content', 'a', undefined]]);
  });

  it('searches, and shows only one group', async () => {
    mounted = await mount(fakeOutbox(everyKind()));
    await mounted.type('[data-field=query]', 'order 5');
    expect(mounted.words('.title')).toEqual(['Order 5']);
    await mounted.type('[data-field=query]', 'nowhere');
    expect(mounted.text('.empty')).toContain('Nothing matches.');
    await mounted.click('[data-act=everything]');
    await mounted.click('[data-act=group][data-id=attention]');
    expect(mounted.words('.title')).toEqual(['Order 1', 'Order 2']);
    expect(mounted.find('[data-id=attention]').getAttribute('aria-pressed')).toBe('true');
  });
});
