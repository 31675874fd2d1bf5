import { change } from '../flow/ledger';
import { notify } from '../flow/notify';
import type { Entry } from '../core/entry';
import { extrasOf } from './extras';
import { dropped } from './lending';
import { add, inLine, size, type Line } from './line';
import { mustBe } from './must-be';
import { queueOutbox } from './outbox';
import { capturedFrom, requestDataFrom, type RequestData } from './request-data';

/** An entry on its way into a `QueueStore`. */
export interface UnidentifiedQueueStoreEntry {
  requestData: RequestData;
  /** Epoch ms. */
  timestamp: number;
  id?: number;
  queueName?: string;
  metadata?: object;
}

/** An entry as a `QueueStore` gives it. Ids grow in the order of the queue; they need not be whole numbers. */
export interface QueueStoreEntry extends UnidentifiedQueueStoreEntry {
  id: number;
}

/**
 * The entries of one queue in plain data: Workbox's class over the outbox. It expires nothing and sends nothing; what is taken
 * out stays in the outbox's list as closed.
 */
export class QueueStore {
  private readonly _queueName: string;

  constructor(queueName: string) {
    this._queueName = queueName;
  }

  /** @throws WorkboxError `incorrect-type`; OutboxError `unreadable`, and as storing fails */
  async pushEntry(entry: UnidentifiedQueueStoreEntry): Promise<void> {
    await this._add(entry, 'end', 'pushEntry');
  }

  /** @throws WorkboxError `incorrect-type`; OutboxError `unreadable`, and as storing fails */
  async unshiftEntry(entry: UnidentifiedQueueStoreEntry): Promise<void> {
    await this._add(entry, 'front', 'unshiftEntry');
  }

  popEntry(): Promise<QueueStoreEntry | undefined> {
    return this._removeEntry('end');
  }

  shiftEntry(): Promise<QueueStoreEntry | undefined> {
    return this._removeEntry('front');
  }

  async getAll(): Promise<QueueStoreEntry[]> {
    const line = await this._line();
    const waiting = await line.context.store.transact('read', async (rows) => {
      const found: Entry[] = [];
      for await (const entry of inLine(rows, line.queue)) if (entry.state === 'pending') found.push(entry);
      return found;
    });
    return Promise.all(waiting.map((entry) => storedEntry(line, entry)));
  }

  async size(): Promise<number> {
    const line = await this._line();
    return line.context.store.transact('read', (rows) => size(rows, line.queue));
  }

  async deleteEntry(id: number): Promise<void> {
    const line = await this._line();
    await remove(line, id);
  }

  private async _line(): Promise<Line> {
    const outbox = queueOutbox();
    if (outbox.activity.isActive()) await outbox.ready();
    return outbox.line(this._queueName);
  }

  private async _add(entry: UnidentifiedQueueStoreEntry, place: 'end' | 'front', funcName: string): Promise<void> {
    mustBe('object', entry, { className: 'QueueStore', funcName, paramName: 'entry' });
    mustBe('object', entry.requestData, { className: 'QueueStore', funcName, paramName: 'entry.requestData' });
    const { requestData, timestamp, metadata } = entry;
    const captured = capturedFrom(requestData);
    const line = await this._line();
    const keepalive = requestData['keepalive'] === true;
    // Callers have looked at the entry they handed in.
    delete entry.id;
    entry.queueName = this._queueName;
    await add(line, { captured, timestamp, metadata, keepalive, attempted: false, syncComes: false }, place);
  }

  private async _removeEntry(from: 'front' | 'end'): Promise<QueueStoreEntry | undefined> {
    const line = await this._line();
    const { context } = line;
    const row = await context.store.transact('read', async (rows) => {
      let found: Entry | undefined;
      for await (const entry of inLine(rows, line.queue)) {
        if (entry.state === 'pending') found = entry;
        if (found && from === 'front') break;
      }
      return found;
    });
    if (!row) return undefined;
    const entry = await storedEntry(line, row);
    return (await remove(line, row.seq)) ? entry : this._removeEntry(from);
  }
}

/** @returns whether it was there to be removed */
async function remove(line: Line, id: number): Promise<boolean> {
  const { context } = line;
  const changed = await change(context.store, context.config.durability, async (ledger) => {
    const row = await ledger.rows.bySeq(id);
    if (row?.state !== 'pending') return false;
    await dropped(ledger, row, 'the app took it out of the queue', context.system.now());
    return true;
  });
  notify(context, changed);
  return changed.value;
}

async function storedEntry({ context, queue }: Line, entry: Entry): Promise<QueueStoreEntry> {
  const { metadata, keepalive } = extrasOf(entry);
  const body = await context.loadBody(entry);
  return {
    id: entry.seq,
    queueName: queue,
    requestData: await requestDataFrom(entry.request, body, keepalive),
    timestamp: entry.createdAt,
    ...(metadata && { metadata }),
  };
}
