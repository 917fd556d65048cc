import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { pence, type Pence } from '@portal/domain/money.ts';

/** What the trader receives: the price less what we deduct for what they owe us. */
export const getPayoutAmount = ({ net_pence: net, netted_pence: netted }: AdvanceOutput): Pence => pence(net - netted);
