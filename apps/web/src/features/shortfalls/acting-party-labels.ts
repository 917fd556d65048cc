import type { ActingParty } from '@portal/domain/shortfalls/shortfall-status.ts';

/** Who acts next, labelled for operators. */
export const ACTING_PARTY_LABELS: Record<ActingParty, string> = { trader: 'Trader', us: 'Us', hmrc: 'HMRC', bank: 'Bank' };
