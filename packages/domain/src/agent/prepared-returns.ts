/** Lookups in the VAT returns that a practice prepared here. */
import type { AgentItem, ClientFacts, PreparedReturn } from './agent-facts.ts';

/** Returns true if a return's figures were already sent to the client, so that its records needn't be requested any more. */
export function isPrepared({ prepared }: ClientFacts, { tax, what, period_end: end }: AgentItem): boolean {
  return tax === 'vat' && what === 'return' && prepared.some((item) => item.end === end);
}

/**
 * Lists returns that were prepared, aren't filed here and are still expected by HMRC: returns filed with other software don't have a due
 * date any more.
 */
export function listUnfiled({ prepared, items }: ClientFacts): readonly PreparedReturn[] {
  return prepared.filter(
    ({ end, filed_on: filed }) =>
      filed === null && items.some(({ tax, what, period_end: of }) => tax === 'vat' && what === 'return' && of === end),
  );
}
