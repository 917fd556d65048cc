/**
 * Why a practice's mailbox no longer sends. `refused`: the provider rejected our tokens. `no_scope`: our permission no longer includes
 * sending. `owner_left`: it is the mailbox of someone who has left the practice.
 */
export const MAILBOX_END_REASONS = ['refused', 'no_scope', 'owner_left'] as const;
export type MailboxEndReason = (typeof MAILBOX_END_REASONS)[number];
