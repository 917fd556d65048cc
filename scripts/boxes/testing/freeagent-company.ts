/** FreeAgent API objects for test recordings. */
import type { RecordedObject } from '@portal/sandbox/simulator/recordings.ts';

const API = 'https://api.freeagent.com/v2';

export const getCategoryUrl = (code: string): string => `${API}/categories/${code}`;

function toCategory([code, description, autoRate]: readonly [string, string, string?]): RecordedObject {
  return {
    url: getCategoryUrl(code),
    description,
    nominal_code: code,
    ...(autoRate === undefined ? {} : { auto_sales_tax_rate: autoRate }),
  };
}

const STANDARD = 'Standard rate';

export const FREEAGENT_SETTINGS = {
  company: [
    {
      url: `${API}/company`,
      name: 'Elm Studio Ltd',
      type: 'UkLimitedCompany',
      currency: 'GBP',
      sales_tax_registration_status: 'Registered',
      sales_tax_registration_number: '123456782',
      initially_on_frs: false,
    },
  ],
  categories: [
    {
      admin_expenses_categories: [
        toCategory(['285', 'Accommodation and Meals', STANDARD]),
        toCategory(['365', 'Business Entertaining', STANDARD]),
      ],
      cost_of_sales_categories: [toCategory(['101', 'Materials', STANDARD]), toCategory(['096', 'CIS Labour', STANDARD])],
      income_categories: [toCategory(['001', 'Sales', STANDARD])],
      general_categories: [
        toCategory(['051', 'Interest Received']),
        toCategory(['602', 'Capital Asset Purchase']),
        toCategory(['817', 'VAT']),
      ],
    },
  ],
};

let number = 0;
const getNextNumber = (): number => (number += 1);

/** Creates an invoice or credit note. Items: [net, rate in percent, or a status instead of a rate]. */
export function createFreeAgentInvoice(
  resource: 'invoices' | 'credit_notes',
  dated_on: string,
  items: readonly (readonly [net: number, rate: number | 'EXEMPT' | 'OUT_OF_SCOPE'])[],
  fields: RecordedObject = {},
): RecordedObject {
  const id = getNextNumber();
  const net = items.reduce((sum, [amount]) => sum + amount, 0);
  const vat = items.reduce((sum, [amount, rate]) => sum + (typeof rate === 'number' ? amount * rate : 0), 0) / 100;
  return {
    url: `${API}/${resource}/${id}`,
    contact: `${API}/contacts/${id}`,
    dated_on,
    reference: `R-${id}`,
    currency: 'GBP',
    exchange_rate: '1.0',
    status: 'Open',
    ec_status: 'UK/Non-EC',
    net_value: net.toFixed(2),
    sales_tax_value: vat.toFixed(2),
    total_value: (net + vat).toFixed(2),
    [resource === 'invoices' ? 'invoice_items' : 'credit_note_items']: items.map(([amount, rate]) => ({
      item_type: 'Services',
      price: String(amount),
      quantity: '1.0',
      category: getCategoryUrl('001'),
      ...(typeof rate === 'number' ? { sales_tax_rate: rate.toFixed(1), sales_tax_status: 'TAXABLE' } : { sales_tax_status: rate }),
    })),
    ...fields,
  };
}

/** Creates a bill with one item. `gross` includes VAT. */
export function createFreeAgentBill(
  dated_on: string,
  gross: number,
  rate: number | 'EXEMPT' | 'OUT_OF_SCOPE',
  fields: RecordedObject = {},
  item: RecordedObject = {},
): RecordedObject {
  const id = getNextNumber();
  return {
    url: `${API}/bills/${id}`,
    contact: `${API}/contacts/${id}`,
    dated_on,
    reference: `B-${id}`,
    currency: 'GBP',
    exchange_rate: '1.0',
    status: 'Open',
    ec_status: 'UK/Non-EC',
    total_value: gross.toFixed(2),
    bill_items: [
      {
        category: getCategoryUrl('101'),
        total_value: gross.toFixed(2),
        ...(typeof rate === 'number' ? { sales_tax_rate: rate.toFixed(1), sales_tax_status: 'TAXABLE' } : { sales_tax_status: rate }),
        ...item,
      },
    ],
    ...fields,
  };
}

/** Creates a bank entry; money out is negative, and so is its VAT. */
export function createExplanation(dated_on: string, gross: number, fields: RecordedObject = {}, account = 1): RecordedObject {
  const id = getNextNumber();
  return {
    url: `${API}/bank_transaction_explanations/${id}`,
    bank_account: `${API}/bank_accounts/${account}`,
    dated_on,
    description: `Entry ${id}`,
    gross_value: gross.toFixed(2),
    marked_for_review: false,
    ...fields,
  };
}

export function createTaxableFields(rate: number, vat: number, code: string): RecordedObject {
  return { category: getCategoryUrl(code), sales_tax_status: 'TAXABLE', sales_tax_rate: rate.toFixed(1), sales_tax_value: vat.toFixed(2) };
}
