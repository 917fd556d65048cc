import { toPoundsText, pence } from '@portal/domain/money.ts';
import type { RecordedObject, Recordings } from '../simulator/recordings.ts';
import type { BooksEntry, BooksSettings } from './books-entry.ts';

const API = 'https://api.freeagent.com/v2';
const SALES = `${API}/categories/001`;
const MATERIALS = `${API}/categories/101`;

/** A company as FreeAgent's API states it. */
export function toFreeAgentRecordings({ name, vatNumber, scheme }: BooksSettings, entries: readonly BooksEntry[]): Recordings {
  return {
    company: [
      {
        url: `${API}/company`,
        name,
        subdomain: name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
        type: 'UkLimitedCompany',
        currency: 'GBP',
        sales_tax_registration_status: vatNumber === null ? 'Not Registered' : 'Registered',
        ...(vatNumber === null ? {} : { sales_tax_registration_number: vatNumber }),
        initially_on_frs: scheme === 'flat_rate',
      },
    ],
    categories: [
      {
        cost_of_sales_categories: [{ url: MATERIALS, description: 'Materials', nominal_code: '101', auto_sales_tax_rate: 'Standard rate' }],
        income_categories: [{ url: SALES, description: 'Sales', nominal_code: '001', auto_sales_tax_rate: 'Standard rate' }],
      },
    ],
    invoices: entries.filter(({ kind }) => kind === 'sale').map((entry) => toDocument(entry, 'invoices')),
    bills: entries.filter(({ kind }) => kind === 'purchase').map((entry) => toDocument(entry, 'bills')),
  };
}

function toDocument(entry: BooksEntry, resource: 'invoices' | 'bills'): RecordedObject {
  const gross = toPoundsText(pence(entry.netPence + entry.vatPence));
  const rate = entry.vatPence === 0 ? '0.0' : '20.0';
  const taxed = { sales_tax_rate: rate, sales_tax_status: 'TAXABLE' };
  return {
    url: `${API}/${resource}/${entry.id}`,
    contact: `${API}/contacts/1`,
    contact_name: entry.counterparty,
    dated_on: entry.date,
    reference: entry.reference,
    currency: 'GBP',
    exchange_rate: '1.0',
    status: entry.isDraft ? 'Draft' : 'Open',
    ec_status: 'UK/Non-EC',
    net_value: toPoundsText(entry.netPence),
    sales_tax_value: toPoundsText(entry.vatPence),
    total_value: gross,
    updated_at: entry.changedAt,
    ...(resource === 'invoices'
      ? { invoice_items: [{ item_type: 'Services', price: toPoundsText(entry.netPence), quantity: '1.0', category: SALES, ...taxed }] }
      : { bill_items: [{ category: MATERIALS, total_value: gross, sales_tax_value: toPoundsText(entry.vatPence), ...taxed }] }),
  };
}
