/** Operators' chips for the states of an advance. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import type { ComponentProps } from 'react';
import type { StateChip } from '../../ui/state-chip.tsx';

export const ADVANCE_CHIPS: Record<AdvanceOutput['state'], ComponentProps<typeof StateChip>> = {
  quoted: { label: 'Quoted', icon: 'file', tone: 'info' },
  accepted: { label: 'Accepted', icon: 'check', tone: 'info' },
  in_review: { label: 'In review', icon: 'clock', tone: 'primary' },
  approved: { label: 'Approved', icon: 'check', tone: 'primary' },
  declined: { label: 'Declined', icon: 'close', tone: 'warning' },
  paying: { label: 'Being paid', icon: 'clock', tone: 'info' },
  paid: { label: 'Paid', icon: 'check', tone: 'success' },
  awaiting_hmrc: { label: 'Awaiting HMRC', icon: 'clock', tone: 'info' },
  repaid: { label: 'Repaid', icon: 'check', tone: 'success' },
  settled: { label: 'Settled', icon: 'checkCircle', tone: 'success' },
  expired: { label: 'Expired', icon: 'clock', tone: 'warning' },
  withdrawn: { label: 'Withdrawn', icon: 'arrowBack', tone: 'info' },
  payout_failed: { label: 'Payout failed', icon: 'errorCircle', tone: 'error' },
  shortfall: { label: 'Shortfall', icon: 'warning', tone: 'error' },
  collecting: { label: 'Collecting', icon: 'clock', tone: 'error' },
  written_off: { label: 'Written off', icon: 'close', tone: 'error' },
};

/** The product's own parts that change an advance. */
const SYSTEM_ACTORS: Readonly<Record<string, string>> = { rules: 'our automatic checks', bank: 'the bank', clock: 'our schedule' };

/** Returns who changed an advance's state, for after "by". */
export const getActorName = (actor: string): string => SYSTEM_ACTORS[actor] ?? actor;
