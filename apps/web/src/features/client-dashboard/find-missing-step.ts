/** Finds out why a client has no amounts for a tax yet, and the next step to get them. Reports only the first obstacle. */
import type { Authorisation } from '@portal/contract/authorisations.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';

/** The next step, which determines the page where the user takes it. */
export type NextStep = 'details' | 'connections' | 'authority' | 'read' | 'statements' | 'wait';

export type MissingStep = { readonly tax: Tax; readonly sentence: string; readonly step: NextStep };

export type ClientState = {
  readonly tax: Tax;
  /** Whether an amount is known, from any source. */
  readonly hasAmounts: boolean;
  /** Whether the client's reference for this tax is recorded. */
  readonly hasReference: boolean;
  /** Whether the practice is connected to HMRC. */
  readonly isConnected: boolean;
  readonly authority: Authorisation['status'] | undefined;
};

const REFERENCES: Readonly<Record<Tax, string>> = { vat: 'VAT number', sa: 'National Insurance number', paye: 'PAYE reference', ct: 'UTR' };

export function findMissingStep(state: ClientState): MissingStep | undefined {
  const { tax } = state;
  if (state.hasAmounts) return undefined;
  if (!state.hasReference) return { tax, sentence: `Add the client’s ${REFERENCES[tax]}.`, step: 'details' };
  if (tax === 'paye' || tax === 'ct') {
    return { tax, sentence: 'HMRC doesn’t share these figures with software. Import a statement to see amounts.', step: 'statements' };
  }
  if (!state.isConnected) return { tax, sentence: 'Your practice isn’t connected to HMRC.', step: 'connections' };
  switch (state.authority) {
    case 'authorised':
    case 'expiring':
      return { tax, sentence: 'The client has authorised you. Refresh to get the figures from HMRC.', step: 'read' };
    case 'link_sent':
      return { tax, sentence: 'You’ve requested authorisation. The client hasn’t responded yet.', step: 'wait' };
    case 'suspended':
      return { tax, sentence: 'HMRC doesn’t share figures for insolvent clients.', step: 'wait' };
    case 'not_checked':
      return { tax, sentence: 'We haven’t checked yet whether this client has authorised you. Refresh to find out.', step: 'read' };
    default:
      return { tax, sentence: 'This client hasn’t authorised you yet.', step: 'authority' };
  }
}
