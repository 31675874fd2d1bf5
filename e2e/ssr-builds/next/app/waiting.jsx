'use client';
import { defineOutboxElements } from 'holdfast/panel';
import { useEntry, useOutbox, useSubmit } from 'holdfast/react';
import { useEffect, useRef } from 'react';
import { outbox } from './outbox.js';

export function Waiting() {
  const { counts, ready } = useOutbox(outbox);
  const { submissions, latest } = useSubmit(outbox, { route: 'notes' });
  const entry = useEntry(outbox, latest?.entry?.id);
  const panel = useRef(null);
  useEffect(() => {
    panel.current.outbox = outbox;
    void defineOutboxElements();
  }, []);
  return (
    <>
      <p>{`${counts.pending} waiting, ${submissions.length} submitted, ${ready ? 'ready' : 'not ready'} ${entry?.state ?? ''}`}</p>
      <outbox-panel ref={panel} />
    </>
  );
}
