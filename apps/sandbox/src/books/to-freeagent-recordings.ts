import { toPoundsText, pence } from '@portal/domain/money.ts';
import { addDays, addMonths, getEndOfMonth, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { RecordedObject, Recordings } from '../simulator/recordings.ts';
import { listContacts } from './list-contacts.ts';
import type { BooksEntry, BooksSettings } from './books-entry.ts';

const API_URL = 'https://api.freeagent.com/v2';
const SALES_CATEGORY_URL = `${API_URL}/categories/001`;
const MATERIALS_CATEGORY_URL = `${API_URL}/categories/101`;

/** Returns a company in the format of FreeAgent's API. */
export function toFreeAgentRecordings(settings: BooksSettings, entries: readonly BooksEntry[]): Recordings {
  const { name, vatNumber, scheme, companyNumber } = settings;
  const contacts = listContacts(entries);
  const urls = new Map(contacts.map((contact, index) => [contact.name, `${API_URL}/contacts/${index + 1}`]));
  const toDocuments = (kind: BooksEntry['kind'], resource: 'invoices' | 'bills') =>
    entries.filter((entry) => entry.kind === kind).map((entry) => toDocument(entry, resource, urls.get(entry.counterparty)));
  return {
    company: [
      {
        url: `${API_URL}/company`,
        name,
        // Companies of the same name have different ones.
        subdomain: `${name.toLowerCase()}${vatNumber ?? ''}`.replaceAll(/[^a-z0-9]/g, ''),
        type: 'UkLimitedCompany',
        currency: 'GBP',
        postcode: 'BN1 1AE',
        sales_tax_registration_status: vatNumber === null ? 'Not Registered' : 'Registered',
        ...(vatNumber === null ? {} : { sales_tax_registration_number: vatNumber }),
        ...(companyNumber === undefined ? {} : { company_registration_number: companyNumber }),
        initially_on_frs: scheme === 'flat_rate',
      },
    ],
    categories: [
      {
        cost_of_sales_categories: [
          { url: MATERIALS_CATEGORY_URL, description: 'Materials', nominal_code: '101', auto_sales_tax_rate: 'Standard rate' },
        ],
        income_categories: [{ url: SALES_CATEGORY_URL, description: 'Sales', nominal_code: '001', auto_sales_tax_rate: 'Standard rate' }],
      },
    ],
    vat_returns: toVatReturns(settings, entries),
    contacts: contacts.map((contact) => ({
      url: urls.get(contact.name),
      organisation_name: contact.name,
      country: 'United Kingdom',
      status: 'Active',
      ...(contact.vatNumber === null ? {} : { sales_tax_registration_number: contact.vatNumber }),
      updated_at: contact.changedAt,
    })),
    invoices: toDocuments('sale', 'invoices'),
    bills: toDocuments('purchase', 'bills'),
  };
}

/** Returns FreeAgent's VAT returns by date, including the bookkeeper's postings. */
function toVatReturns({ vatPostings = [], vatPeriodEnd }: BooksSettings, entries: readonly BooksEntry[]): RecordedObject[] {
  const dates = entries.map(({ date }) => date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  let end = getEndOfMonth(vatPeriodEnd ?? plainDate('2026-03-31'));
  while (end > first) end = getEndOfMonth(addMonths(end, -3));
  const returns: RecordedObject[] = [];
  for (; end < last || returns.length === 0;) {
    const start = addDays(end, 1);
    end = getEndOfMonth(addMonths(end, 3));
    const isInside = ({ date }: { readonly date: PlainDate }): boolean => date >= start && date <= end;
    const documents = entries.filter((entry) => isInside(entry) && !entry.isDraft);
    const net = documents.reduce((sum, { kind, vatPence }) => sum + (kind === 'sale' ? vatPence : -vatPence), 0);
    const corrections = vatPostings.filter((posting) => posting.kind === 'correction' && isInside(posting));
    const dueAmount = corrections.reduce((sum, posting) => sum + posting.pence, net);
    returns.push({
      url: `${API_URL}/vat_returns/${end}`,
      period_starts_on: start,
      period_ends_on: end,
      filing_due_on: addDays(addMonths(end, 1), 7),
      filing_status: 'unfiled',
      payments: [{ label: `VAT return ending ${end}`, amount_due: toPoundsText(pence(dueAmount)), due_on: addDays(addMonths(end, 1), 7) }],
    });
  }
  return returns;
}

function toDocument(entry: BooksEntry, resource: 'invoices' | 'bills', contact: string | undefined): RecordedObject {
  const gross = toPoundsText(pence(entry.netPence + entry.vatPence));
  const rate = entry.vatPence === 0 ? '0.0' : '20.0';
  const isUncertain = entry.treatment === 'custom' && resource === 'bills';
  const taxFields = isUncertain ? { sales_tax_status: 'OUT_OF_SCOPE' } : { sales_tax_rate: rate, sales_tax_status: 'TAXABLE' };
  return {
    url: `${API_URL}/${resource}/${entry.id}`,
    contact,
    contact_name: entry.counterparty,
    dated_on: entry.date,
    reference: entry.reference,
    currency: 'GBP',
    exchange_rate: '1.0',
    status: entry.isDraft ? 'Draft' : entry.paidOn === undefined ? 'Open' : 'Paid',
    ...(entry.paidOn === undefined ? {} : { paid_on: entry.paidOn }),
    ec_status: isUncertain ? 'Reverse Charge' : 'UK/Non-EC',
    net_value: toPoundsText(entry.netPence),
    sales_tax_value: toPoundsText(entry.vatPence),
    total_value: gross,
    updated_at: entry.changedAt,
    ...(resource === 'invoices'
      ? {
          invoice_items: [
            { item_type: 'Services', price: toPoundsText(entry.netPence), quantity: '1.0', category: SALES_CATEGORY_URL, ...taxFields },
          ],
        }
      : {
          bill_items: [
            { category: MATERIALS_CATEGORY_URL, total_value: gross, sales_tax_value: toPoundsText(entry.vatPence), ...taxFields },
          ],
        }),
  };
}
