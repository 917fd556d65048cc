import type { ActingParty } from '@portal/domain/shortfalls/shortfall-status.ts';

/** Labels for operators that say who acts next. */
export const ACTING_PARTY_LABELS: Record<ActingParty, string> = { trader: 'Trader', us: 'Us', hmrc: 'HMRC', bank: 'Bank' };
