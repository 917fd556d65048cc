import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { TaxCards } from './tax-cards.tsx';
import { TaxDetails } from './tax-details.tsx';
import { VatGroupCard } from './vat-group-card.tsx';
import { VatReturnsCards } from './vat-returns-cards.tsx';

/** One tax of a client: its figures, its periods, and what has been charged and paid. */
export function TaxTab({ ids, client, tax }: { ids: ClientIds; client: ClientProfile; tax: Tax }) {
  const taxes = [tax];
  if (!client.taxes.includes(tax)) return <VatGroupCard ids={ids} client={client} />;
  return (
    <>
      <TaxCards ids={ids} taxes={taxes} />
      {tax === 'vat' && client.vat_group !== null && <VatGroupCard ids={ids} client={client} />}
      {tax === 'vat' && <VatReturnsCards ids={ids} />}
      <TaxDetails ids={ids} taxes={taxes} today={client.today} />
      {tax === 'vat' && client.vat_group === null && <VatGroupCard ids={ids} client={client} />}
    </>
  );
}
