/** The practice's own mailbox, which sends its messages to clients (docs/product/specification.md section 7.4). */
import { MAILBOX_END_REASONS } from '@portal/domain/messages/mailbox-end-reasons.ts';
import { MAILBOX_PROVIDERS } from '@portal/domain/messages/sending-limits.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, instantScalar } from './scalars.ts';

export const mailboxProvider = z.enum(MAILBOX_PROVIDERS);

/** The outcome of connecting, in the URL of the settings page that the browser is redirected to afterwards. */
export const MAILBOX_OUTCOMES = [
  'mailbox_connected',
  'mailbox_declined',
  'mailbox_no_scope',
  'mailbox_not_allowed',
  'mailbox_failed',
] as const;
export type MailboxOutcome = (typeof MAILBOX_OUTCOMES)[number];

const mailboxStatus = z.object({
  connected: z.boolean(),
  /** `lost`: see `lost_reason`. Messages wait until someone connects a mailbox again or disconnects this one. */
  status: z.enum(['not_connected', 'connected', 'lost']),
  /** The email address that clients see as the sender. */
  address: z.nullable(z.string()),
  connected_at: z.nullable(instantScalar),
  lost_at: z.nullable(instantScalar),
  lost_reason: z.nullable(z.enum(MAILBOX_END_REASONS)),
  /** Whether this portal can connect mailboxes of this provider. */
  is_available: z.boolean(),
});
export type MailboxState = z.output<typeof mailboxStatus>;

export const mailboxApi = {
  gmailStatus: endpoint({
    method: 'GET',
    path: '/gmail/status',
    access: 'practice.read',
    summary: 'Get whether the practice’s Gmail mailbox is connected',
    input: companyInput,
    output: mailboxStatus,
  }),
  outlookStatus: endpoint({
    method: 'GET',
    path: '/outlook/status',
    access: 'practice.read',
    summary: 'Get whether the practice’s Outlook mailbox is connected',
    input: companyInput,
    output: mailboxStatus,
  }),
  connect: endpoint({
    method: 'POST',
    path: '/open-tax/mailbox/connect',
    access: 'practice.connections',
    summary: 'Start connecting the practice’s mailbox. The browser continues at `authorize_url` and returns to the settings page.',
    input: z.extend(companyInput, { provider: mailboxProvider }),
    output: z.object({ authorize_url: z.string() }),
    // The mailbox's owner sees every email to clients.
    needsConfirmation: true,
    maxPerPerson: 30,
  }),
  disconnect: endpoint({
    method: 'POST',
    path: '/open-tax/mailbox/disconnect',
    access: 'practice.connections',
    summary:
      'Delete our access to the practice’s mailbox. Messages are then sent from our address, and those on hold are sent immediately.',
    input: companyInput,
    output: doneOutput,
  }),
};
