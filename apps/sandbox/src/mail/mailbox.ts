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
  return {
    receive: (mail) =>
      store.atomically(() => {
        const { from, replyTo, subject, text, html } = mail;
        for (const to of mail.to) {
          const id = randomUUID();
          const links = findLinks(`${text}\n${html ?? ''}`);
          messages.put(id, { id, to, from, reply_to: replyTo, subject, text, html, links, received_at: clock.now() });
        }
      }),
    list: (to) => {
      const recipient = to?.toLowerCase();
      const allEmails = messages.list().map(({ document }) => document);
      return allEmails.filter((email) => recipient === undefined || email.to.toLowerCase() === recipient).reverse();
    },
    find: (id) => messages.get(id),
  };
}

/** Finds URLs in text or HTML. A full stop or bracket at the end is not part of the URL. */
export function findLinks(text: string): string[] {
  const matchedLinks = text.replaceAll('&amp;', '&').match(/https?:\/\/[^\s<>"']+/g) ?? [];
  return [...new Set(matchedLinks.map((link) => link.replace(/[.,;:!?)\]]+$/, '')))];
}
