/** What a practice asks HMRC for when it connects its agent services account: VAT and income tax of its clients, and authority over them. */
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
