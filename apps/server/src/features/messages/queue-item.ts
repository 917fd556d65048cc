/** One email that a practice's queue sends: a message to a client, or another email to a client's users. */
import type { Instant } from '@portal/domain/clock.ts';
import type { MessageRoute } from '@portal/domain/messages/sending-limits.ts';
import type { Mailbox } from '../mailbox/mailbox-tokens.ts';
import type { AttemptEnd } from './message-attempts.ts';

export type QueueItem = {
  readonly to: string;
  /** Set when the provider asked us to wait. */
  readonly notBefore: Instant | null;
  /** Why it is no longer sent, if the reason for it has gone. */
  readonly outdated: string | undefined;
  /** Sent even if earlier emails to its address bounced. */
  readonly isEssential: boolean;
  /** A message can wait for a day behind a thousand others. An email about one matter can't, so it may use the reserve. */
  readonly usesReserve: boolean;
  /** Ends it without an attempt. */
  readonly end: (status: 'cancelled' | 'failed', reason: string) => Promise<void>;
  /** Gives it to our own queue. Only if it isn't sent by this one when the practice has no mailbox. */
  readonly handOver?: () => Promise<void>;
  /** Commits an attempt before anything is sent. Returns undefined if it was cancelled in the meantime. */
  readonly start: (route: MessageRoute, sentFrom: string) => Promise<StartedAttempt | undefined>;
};

export type StartedAttempt = {
  /** Sends through the mailbox, or from our address. A failure is a ProviderError. */
  readonly send: (through: { readonly mailbox: Mailbox; readonly accessToken: string } | undefined) => Promise<void>;
  readonly end: (end: AttemptEnd) => Promise<void>;
};
