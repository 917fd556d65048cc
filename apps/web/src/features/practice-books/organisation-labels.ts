import type { OrganisationCandidate, OrganisationState } from '@portal/contract/practice-books.ts';

/** In the order of the workflow. */
export const STATE_LABELS: Readonly<Record<OrganisationState, string>> = {
  sure: 'To confirm',
  review: 'To review',
  none: 'No client found',
  reading: 'Still reading',
  linked: 'Linked',
  gone: 'Access lost',
};

export const EMPTY_MESSAGES: Readonly<Record<OrganisationState, string>> = {
  sure: 'No organisations to confirm.',
  review: 'No organisations to review.',
  none: 'We found a client for every organisation.',
  reading: 'We’ve read every organisation’s VAT number.',
  linked: 'No organisations are linked to a client yet.',
  gone: 'Your bookkeeping login still has access to every linked organisation.',
};

const REASONS: Readonly<Record<OrganisationCandidate['reason'], string>> = {
  vat_number: 'Same VAT number',
  name_and_number: 'Same name and company number',
  number: 'Same company number, different name',
  name: 'Same name',
};
const CONFLICT_LABELS = { vat_number: 'but different VAT number', company_number: 'but different company number' } as const;

/** Describes what an organisation and a client have in common. */
export function describeCandidate({ reason, conflict }: Pick<OrganisationCandidate, 'reason' | 'conflict'>): string {
  return conflict === null ? REASONS[reason] : `${REASONS[reason]}, ${CONFLICT_LABELS[conflict]}`;
}
