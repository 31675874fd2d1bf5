import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EntryView } from '../core/snapshot';
import './define';
import { attempt, deadEntry, deliveredEntry, entry, sendingEntry } from './fixtures/entries';
import { fakeOutbox } from './fixtures/fake-outbox';
import { mount, type Mounted } from './fixtures/mount';
import { tabMark } from './tab-mark';

let mounted: Mounted | undefined;
const run: string[] = [];
beforeEach(() => {
  document.documentElement.lang = 'en';
  document.title = 'panel';
  run.length = 0;
  Object.assign(window, { planted: (field: string) => run.push(field) });
});
afterEach(() => {
  mounted?.remove();
  mounted = undefined;
});

/** Leaves an attribute, an element and a template, and runs where it is taken for anything but text. */
const hostile = (field: string): string =>
  `${field}"'>\`\${planted('${field}')}</textarea></pre></bdi><img class="planted" src="data:," onerror="planted('${field}')">` +
  `<script class="planted">planted('${field}')</script><x-planted onclick="planted('${field}')"></x-planted>` +
  `<a class="planted" href="javascript:planted('${field}')">&lt;b&gt;</a>`;

/** Each text of an entry that is the app's, the server's or a person's: named after its field. */
function planted(make: (patch: Partial<EntryView>) => EntryView, name: string): EntryView {
  const text = (field: string): string => hostile(`${name}-${field}`);
  const failure = attempt({ message: text('failure'), problem: text('problem') });
  const made = make({
    id: text('id'),
    route: text('route'),
    lane: text('lane'),
    method: text('method'),
    url: text('url'),
    title: text('title'),
    type: text('type'),
    meta: { field: text('meta') },
    firstFailure: failure,
    lastFailure: failure,
    history: [failure],
    waitsFor: [text('waitsFor')],
  });
  return made.state === 'pending' ? { ...made, why: { kind: 'paused', until: null, detail: text('detail') } } : made;
}

const dead = (patch: Partial<EntryView>): EntryView =>
  deadEntry(patch, { message: hostile('dead-message'), assignee: hostile('dead-assignee'), triage: 'claimed' });

/** What text of ours became anything but text. */
function broken(root: ParentNode): string[] {
  const all = [...root.querySelectorAll('*')];
  const attributes = all.flatMap(({ attributes }) => [...attributes]);
  return [
    ...all
      .filter((one) => one.matches('.planted, script, iframe, object, embed, x-planted, img'))
      .map((one) => one.outerHTML),
    ...attributes.filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
    ...attributes
      .filter(({ name, value }) => /^(href|src|action)$/.test(name) && /script:/.test(value))
      .map(({ value }) => value),
  ];
}

it('shows script and markup in any field as text: rows, details, content, questions, editor, notices', async () => {
  const entries = [
    planted(dead, 'dead'),
    planted(sendingEntry, 'sending'),
    planted(entry, 'waiting'),
    planted(deliveredEntry, 'delivered'),
  ];
  const limit = { code: hostile('limit-code'), message: hostile('limit-message') };
  const fake = fakeOutbox(entries, {
    suspects: [hostile('suspect')],
    status: {
      durability: 'memory',
      persisted: 'no',
      sender: 'page',
      protected: false,
      backgroundSync: false,
      limits: [limit],
    },
  });
  for (const { id, state } of entries) {
    fake.contents.set(id, {
      method: hostile('content-method'),
      url: hostile('content-url'),
      headers: [[hostile(`${state}-header`), hostile(`${state}-header-value`)]],
      body: new Blob([hostile(`${state}-body`)], { type: state === 'dead' ? 'text/html' : 'image/svg+xml' }),
    });
  }
  const stopMarking = tabMark(fake.outbox);
  mounted = await mount(fake, { assignee: hostile('assignee') });
  const { root } = mounted;
  const sound = (): void => {
    expect(broken(root)).toEqual([]);
    expect(run).toEqual([]);
  };
  sound();
  for (const fold of mounted.all('[data-act=fold]')) fold.click();
  await mounted.updated();
  for (const look of mounted.all('[data-act=content]')) look.click();
  await mounted.until(() => root.querySelectorAll('[part=content] pre').length >= 8);
  sound();
  const shown = root.textContent ?? '';
  for (const name of ['dead', 'sending', 'waiting', 'delivered']) {
    for (const field of ['title', 'method', 'url', 'lane', 'type'])
      expect(shown).toContain(hostile(`${name}-${field}`));
  }
  for (const state of ['dead', 'sending', 'pending', 'delivered']) {
    for (const part of ['header', 'header-value', 'body']) expect(shown).toContain(hostile(`${state}-${part}`));
  }
  for (const field of ['dead-message', 'dead-assignee', 'waiting-detail', 'suspect']) {
    expect(shown).toContain(hostile(field));
  }

  for (const act of ['cancel', 'close', 'edit', 'fix']) {
    await mounted.click(`[data-act=${act}]`);
    if (act === 'edit' || act === 'fix')
      await mounted.until(() => !!root.querySelector('dialog textarea, dialog .pair'));
    sound();
    await mounted.click('[data-act=back]');
  }
  fake.emit({ type: 'error', code: hostile('error-code'), message: hostile('error-message') });
  fake.failNext('pause', new Error(hostile('failed-act')));
  await mounted.click('[data-act=pause]');
  sound();
  stopMarking();
});
