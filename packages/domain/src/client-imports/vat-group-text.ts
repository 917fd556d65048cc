/** Parses a client's part in a VAT group, in the terms that client lists use. */
import type { VatGroupRole } from '../clients/vat-group.ts';
import { createRejection, type Parsed, parsed } from '../parsed.ts';

/** In lower-case letters and digits. */
const ROLE_WORDS: Readonly<Record<VatGroupRole, readonly string[]>> = {
  representative: [
    'representative',
    'representativemember',
    'grouprepresentative',
    'rep',
    'repmember',
    'lead',
    'leadmember',
    'leadcompany',
  ],
  member: ['member', 'groupmember', 'vatgroupmember', 'othermember', 'ordinarymember'],
};
const NONE_WORDS = ['no', 'n', 'none', 'notmember', 'notamember', 'notinagroup', 'notingroup'];

/** Returns null if the client is stated to be in no group. */
export function parseVatGroupRole(text: string): Parsed<VatGroupRole | null> {
  const word = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
  if (NONE_WORDS.includes(word)) return parsed(null);
  const role = (['representative', 'member'] as const).find((one) => ROLE_WORDS[one].includes(word));
  return role === undefined
    ? createRejection('Enter representative, member or no. Until you do, we don’t record a VAT group for this client.')
    : parsed(role);
}
