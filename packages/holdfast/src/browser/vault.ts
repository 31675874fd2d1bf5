import type { RequestParts } from '../core/entry';
import { OutboxError } from '../core/errors';
import type { Store } from '../ports';

type Headers = RequestParts['headers'];

/** Seals requests at rest with a key per subject that no script can read out. */
export interface Vault {
  /** One opaque body holding the headers and the bytes. */
  seal(subject: string, headers: Headers, body: Uint8Array | null): Promise<Uint8Array>;
  /** @throws OutboxError `unreadable` when the key is gone or the bytes were altered */
  open(subject: string, sealed: Uint8Array): Promise<{ headers: Headers; body: Uint8Array | null }>;
  /** Throws the key away: what it sealed can never be read again. */
  forget(subject: string): Promise<void>;
}

const ivBytes = 12;

/**
 * AES-GCM with 256 bits and a fresh random IV each time (NIST SP 800-38D section 8.2.2). The key is not extractable, so a dump of
 * the store does not have it; script of the same origin can still use it (see `SECURITY.md`).
 */
export function createVault(store: Store): Vault {
  const keys = new Map<string, CryptoKey>();

  async function keyOf(subject: string, make: boolean): Promise<CryptoKey | undefined> {
    const known = keys.get(subject) ?? (await store.transact('read', (rows) => rows.control('keys')))?.[subject];
    const key = (known as CryptoKey | undefined) ?? (make ? await newKey(subject) : undefined);
    if (key) keys.set(subject, key);
    return key;
  }

  /** Two contexts may make one at the same time: the first that is stored is everybody's. */
  async function newKey(subject: string): Promise<CryptoKey> {
    const fresh = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    return store.transact('strict', async (rows) => {
      const all = (await rows.control('keys')) ?? {};
      const first = all[subject] as CryptoKey | undefined;
      if (!first) await rows.putControl('keys', { ...all, [subject]: fresh });
      return first ?? fresh;
    });
  }

  return {
    async seal(subject, headers, body) {
      const key = (await keyOf(subject, true)) as CryptoKey;
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const secret = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, envelope(headers, body) as BufferSource);
      return joined(iv, new Uint8Array(secret));
    },
    async open(subject, sealed) {
      const key = await keyOf(subject, false);
      if (!key) throw lost('its key is gone');
      try {
        const iv = sealed.slice(0, ivBytes);
        const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed.slice(ivBytes));
        return opened(new Uint8Array(plain));
      } catch (cause) {
        throw lost('its bytes do not fit its key', cause);
      }
    },
    async forget(subject) {
      keys.delete(subject);
      await store.transact('strict', async (rows) => {
        const { [subject]: _, ...others } = (await rows.control('keys')) ?? {};
        await rows.putControl('keys', others);
      });
    },
  };
}

function lost(what: string, cause?: unknown): OutboxError {
  return new OutboxError('unreadable', `this request is sealed and cannot be opened: ${what}`, { cause });
}

/** Length of the head (4 bytes, big endian), the head as JSON, the body. */
function envelope(headers: Headers, body: Uint8Array | null): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({ headers, hasBody: body !== null }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.byteLength);
  return joined(length, head, body ?? new Uint8Array());
}

function opened(plain: Uint8Array): { headers: Headers; body: Uint8Array | null } {
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
  const head = JSON.parse(new TextDecoder().decode(plain.subarray(4, 4 + length))) as {
    headers: Headers;
    hasBody: boolean;
  };
  return { headers: head.headers, body: head.hasBody ? plain.slice(4 + length) : null };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
