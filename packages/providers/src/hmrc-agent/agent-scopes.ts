/** OAuth scopes that a practice grants through its agent services account: its clients' VAT and income tax, and its authorisations. */
import type { HmrcScope } from '../hmrc/hmrc-client.ts';

export const AGENT_SCOPES = [
  'read:vat',
  'write:vat',
  'read:self-assessment',
  'read:sent-invitations',
  'write:sent-invitations',
  'write:cancel-invitations',
  'read:check-relationship',
  'write:relationships',
] as const satisfies readonly HmrcScope[];
