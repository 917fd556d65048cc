/** An entry of the audit trail in words. */
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

/** `person`: the id of whom it is about; the detail follows the name. */
export type ToldChange = { readonly title: string; readonly detail: string | null; readonly person?: string };

export function tellChange(action: string, after: unknown): ToldChange {
  const said = facts(after);
  const person = typeof said['user_id'] === 'string' ? said['user_id'] : '';
  switch (action) {
    case 'client.created':
      return { title: 'Client added by hand', detail: null };
    case 'client.edited':
      return { title: "Client's details changed", detail: null };
    case 'clients.status_set':
      return { title: `Status set to ${word(said['status'], {})}`, detail: null };
    case 'clients.assigned':
      return { title: 'Given into care', detail: word(said['duty'], DUTIES), person };
    case 'clients.unassigned':
      return { title: 'Taken out of care', detail: word(said['duty'], DUTIES), person };
    default:
      if (action.startsWith('authorisation.')) {
        return { title: `Authority for ${word(said['tax'], TAXES)}`, detail: word(said['status'], AUTHORITY) };
      }
      // A kind of change that has no words yet is told rather than hidden.
      return { title: action.replace(/^clients?\./, '').replaceAll(/[._]/g, ' '), detail: null };
  }
}
