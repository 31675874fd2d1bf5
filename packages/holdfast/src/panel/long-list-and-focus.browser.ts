import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import './define';
import { deadEntry, entry } from './fixtures/entries';
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

describe('a long list', () => {
  it('keeps only the rows in view in the document, and reads on as they are scrolled to', async () => {
    const fake = fakeOutbox(Array.from({ length: 2_000 }, (_, n) => entry({ title: `Order ${n}` })));
    mounted = await mount(fake);
    expect(mounted.text('.tail')).toBe('Show all 2,000');
    await mounted.click('.tile.waiting');
    await mounted.until(() => !!mounted?.root.querySelector('ul.long li'));
    const list = mounted.find('ul.long');
    expect(list.querySelectorAll('li').length).toBeLessThan(100);
    expect(list.querySelector('li')?.getAttribute('aria-setsize')).toBe('2000');
    // The list scrolls until everything has been read: each end brings another page.
    const end = (): boolean => {
      list.scrollTop = list.scrollHeight;
      return mounted?.words('.title').includes('Order 1999') ?? false;
    };
    await mounted.until(end);
    expect(list.querySelectorAll('li').length).toBeLessThan(100);
    const reads = fake.calls.filter(([method]) => method === 'list');
    expect(reads.length).toBeGreaterThanOrEqual(10);
  });
});

describe('focus', () => {
  it('stays on the same control when everything around it changes', async () => {
    const fake = fakeOutbox(everyKind());
    mounted = await mount(fake);
    mounted.find('[data-act=fold][data-id=note]').focus();
    fake.show([entry({ id: 'first', seq: 0 }), ...everyKind()]);
    await mounted.updated();
    expect((mounted.root.activeElement as HTMLElement).dataset['id']).toBe('note');
  });

  it('goes with a row that moves to another group', async () => {
    const fake = fakeOutbox([deadEntry({ id: 'a' }), entry({ id: 'b' })]);
    mounted = await mount(fake);
    await mounted.click('[data-act=fold][data-id=a]');
    mounted.find('[data-act=replay]').focus();
    await mounted.click('[data-act=replay]');
    expect((mounted.root.activeElement as HTMLElement).dataset).toMatchObject({ act: 'fold', id: 'a' });
  });

  it('goes to the neighbour of a row that is gone, and to a heading after the last', async () => {
    const fake = fakeOutbox([entry({ id: 'a' }), entry({ id: 'b' })]);
    mounted = await mount(fake);
    mounted.find('[data-act=fold][data-id=a]').focus();
    fake.show([entry({ id: 'b' })]);
    await mounted.updated();
    expect((mounted.root.activeElement as HTMLElement).dataset['id']).toBe('b');
    fake.show([]);
    await mounted.updated();
    expect(mounted.root.activeElement?.localName).toBe('h2');
  });

  it('comes back to the button a dialog was opened with', async () => {
    mounted = await mount(fakeOutbox([entry({ id: 'a' })]));
    await mounted.click('[data-act=fold]');
    mounted.find('[data-act=cancel]').focus();
    await mounted.click('[data-act=cancel]');
    await mounted.click('[data-act=back]');
    expect((mounted.root.activeElement as HTMLElement).dataset['act']).toBe('cancel');
  });
});
