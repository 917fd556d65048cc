/** The sandbox's mailbox: every email received by its SMTP server, one entry for each recipient. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';

/** Field names as in `GET /mailbox.json`. `links` are the URLs of text and HTML, each once, in order. */
export type SandboxEmail = {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  /** The reply address; null if replies go to the sender. */
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly links: readonly string[];
  readonly received_at: string;
};

export type ReceivedEmail = {
  readonly to: readonly string[];
  readonly from: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
};

export type Mailbox = {
  receive(mail: ReceivedEmail): void;
  /** Lists the messages, newest first; `to` is case-insensitive. */
  list(to?: string): SandboxEmail[];
  find(id: string): SandboxEmail | undefined;
};

export function openMailbox(store: SimulatorStore, clock: Clock): Mailbox {
  const messages = store.collection<SandboxEmail>('mail.messages');
  /** The IDs of each recipient's messages, oldest first: a campaign asks for one of thousands of recipients many times a second. */
  const idsByRecipient = store.collection<readonly string[]>('mail.recipients');
  const addToRecipient = ({ id, to }: SandboxEmail): void => {
    const recipient = to.toLowerCase();
    idsByRecipient.put(recipient, [...(idsByRecipient.get(recipient) ?? []), id]);
  };
  store.atomically(() => {
    const builtIndexes = store.collection<true>('mail.indexes');
    if (builtIndexes.get('recipients')) return;
    // A store from before this collection existed.
    if (idsByRecipient.list().length === 0) for (const { document } of messages.list()) addToRecipient(document);
    builtIndexes.put('recipients', true);
  });
  return {
    receive: (mail) =>
      store.atomically(() => {
        const { from, replyTo, subject, text, html } = mail;
        for (const to of mail.to) {
          const id = randomUUID();
          const links = findLinks(`${text}\n${html ?? ''}`);
          const email = { id, to, from, reply_to: replyTo, subject, text, html, links, received_at: clock.now() };
          messages.put(id, email);
          addToRecipient(email);
        }
      }),
    list: (to) => {
      if (to === undefined)
        return messages
          .list()
          .map(({ document }) => document)
          .reverse();
      const ids = idsByRecipient.get(to.toLowerCase()) ?? [];
      return ids.flatMap((id) => messages.get(id) ?? []).reverse();
    },
    find: (id) => messages.get(id),
  };
}

/** Finds URLs in text or HTML. A full stop or bracket at the end is not part of the URL. */
export function findLinks(text: string): string[] {
  const matchedLinks = text.replaceAll('&amp;', '&').match(/https?:\/\/[^\s<>"']+/g) ?? [];
  return [...new Set(matchedLinks.map((link) => link.replace(/[.,;:!?)\]]+$/, '')))];
}
