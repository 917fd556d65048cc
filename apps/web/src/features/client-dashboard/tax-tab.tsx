import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { ClientIds } from './client-page.ts';
import { TaxCards } from './tax-cards.tsx';
import { TaxDetails } from './tax-details.tsx';
import { VatReturnsCards } from './vat-returns-cards.tsx';

/** One tax of a client: its figures, its periods, and what has been charged and paid. */
export function TaxTab({ ids, tax, today }: { ids: ClientIds; tax: Tax; today: PlainDate }) {
  const taxes = [tax];
  return (
    <>
      <TaxCards ids={ids} taxes={taxes} />
      {tax === 'vat' && <VatReturnsCards ids={ids} />}
      <TaxDetails ids={ids} taxes={taxes} today={today} />
    </>
  );
}
