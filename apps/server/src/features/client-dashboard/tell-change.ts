/** Describes audit entries for the timeline. */
const facts = (after: unknown): Readonly<Record<string, unknown>> =>
  typeof after === 'object' && after !== null ? (after as Readonly<Record<string, unknown>>) : {};

const AUTHORITY: Readonly<Record<string, string>> = {
  not_started: 'not asked for',
  link_sent: 'request waits for the client',
  authorised: 'given by the client',
  expiring: 'ends soon',
  expired: 'the link ran out',
  revoked: 'ended',
  suspended: 'suspended',
};

const DUTIES: Readonly<Record<string, string>> = { manager: 'as manager', vat: 'for VAT', payroll: 'for payroll', deputy: 'as deputy' };
const TAXES: Readonly<Record<string, string>> = { vat: 'VAT', sa: 'Self Assessment' };

const word = (value: unknown, words: Readonly<Record<string, string>>): string => {
  const text = typeof value === 'string' ? value : '';
  return words[text] ?? text.replaceAll('_', ' ');
};

/** `personId` is the user that the change concerns. The caller puts that user's name before `detail`. */
export type ToldChange = { readonly title: string; readonly detail: string | null; readonly person?: string };

/** Labels of the client fields, as the form shows them. */
const FACTS: Readonly<Record<string, string>> = {
  name: 'name',
  kind: 'kind',
  taxes: 'taxes',
  vrn: 'VAT number',
  utr: 'UTR',
  nino: 'National Insurance number',
  company_number: 'company number',
  paye_reference: 'PAYE reference',
  accounts_office_reference: 'Accounts Office reference',
  postcode: 'postcode',
  vat_registered_on: 'VAT registration date',
  year_end: 'year end',
  email: 'email',
  phone: 'phone',
};

/** "VAT number from 193054661 to none; phone from none to 07700 900123". Null when the entry records no difference. */
function tellFacts(before: unknown, after: unknown): string | null {
  const [was, is] = [facts(before), facts(after)];
  const text = (value: unknown): string =>
    (Array.isArray(value) ? value.join(', ').toUpperCase() : typeof value === 'string' ? value : '') || 'none';
  const changed = Object.entries(FACTS).filter(([name]) => name in was && name in is && text(was[name]) !== text(is[name]));
  return changed.length === 0 ? null : changed.map(([name, words]) => `${words} from ${text(was[name])} to ${text(is[name])}`).join('; ');
}

export function tellChange(action: string, after: unknown, before?: unknown): ToldChange {
  const said = facts(after);
  const person = typeof said['user_id'] === 'string' ? said['user_id'] : '';
  switch (action) {
    case 'client.created':
      return { title: 'Client added by hand', detail: null };
    case 'client.edited':
      return { title: 'Details changed', detail: tellFacts(before, after) };
    case 'client.books_said':
      return { title: `Books of ${word(said['tax'], TAXES)} written down`, detail: null };
    case 'clients.status_set':
      return { title: `Status set to ${word(said['status'], {})}`, detail: null };
    case 'clients.assigned':
      return { title: 'Given into care', detail: word(said['duty'], DUTIES), person };
    case 'clients.unassigned':
      return { title: 'Taken out of care', detail: word(said['duty'], DUTIES), person };
    case 'clients.change_undone':
      return { title: 'Change of many clients undone', detail: null };
    default:
      if (action.startsWith('authorisation.')) {
        return { title: `Authority for ${word(said['tax'], TAXES)}`, detail: word(said['status'], AUTHORITY) };
      }
      // An unknown action is shown under its raw name, so that no change is hidden.
      return { title: action.replace(/^clients?\./, '').replaceAll(/[._]/g, ' '), detail: null };
  }
}
