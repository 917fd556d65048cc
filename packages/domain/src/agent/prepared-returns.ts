/** Looks up VAT returns that a practice prepared here. */
import type { AgentItem, ClientFacts, PreparedReturn } from './agent-facts.ts';

/** Returns true if a return's figures have already been sent to the client, so its records are no longer needed. */
export function isPrepared({ prepared }: ClientFacts, { tax, what, period_end: end }: AgentItem): boolean {
  return tax === 'vat' && what === 'return' && prepared.some((item) => item.end === end);
}

/**
 * Lists returns that were prepared but not filed here and that HMRC still expects. Returns filed with other software no longer have a due
 * date.
 */
export function listUnfiledReturns({ prepared, items }: ClientFacts): readonly PreparedReturn[] {
  return prepared.filter(
    ({ end, filed_on: filedOn }) =>
      filedOn === null &&
      items.some(({ tax, what, period_end: itemPeriodEnd }) => tax === 'vat' && what === 'return' && itemPeriodEnd === end),
  );
}
