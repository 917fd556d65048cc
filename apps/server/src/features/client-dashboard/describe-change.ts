/** Describes audit entries for the timeline. */
import { AUTHORISATION_LABELS } from '@portal/domain/authorisations/describe-authorisation.ts';

const toFields = (after: unknown): Readonly<Record<string, unknown>> =>
  typeof after === 'object' && after !== null ? (after as Readonly<Record<string, unknown>>) : {};

const DUTY_LABELS: Readonly<Record<string, string>> = {
  manager: 'as manager',
  vat: 'for VAT',
  payroll: 'for payroll',
  deputy: 'as deputy',
};
const TAX_LABELS: Readonly<Record<string, string>> = { vat: 'VAT', sa: 'Self Assessment' };

const toLabel = (value: unknown, labels: Readonly<Record<string, string>>): string => {
  const text = typeof value === 'string' ? value : '';
  return labels[text] ?? text.replaceAll('_', ' ');
};

/**
 * `personId` is the user whom the change concerns. The caller puts that user's name before `detail`. `representativeId`: the client that
 * represents the VAT group, whom the caller names only to those who may see it.
 */
export type ChangeDescription = {
  readonly title: string;
  readonly detail: string | null;
  readonly personId?: string;
  readonly representativeId?: string;
};

/** Labels for the client fields, as the form shows them. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
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
  client_code: 'client code',
};

/** For example "VAT number from 193054661 to none; phone from none to 07700 900123". Null when the entry records no difference. */
function describeFieldChanges(before: unknown, after: unknown, fieldLabels = FIELD_LABELS): string | null {
  const [oldFields, newFields] = [toFields(before), toFields(after)];
  const formatText = (value: unknown): string =>
    (Array.isArray(value) ? value.join(', ').toUpperCase() : typeof value === 'string' ? value : '') || 'none';
  const changedFields = Object.entries(fieldLabels).filter(
    ([name]) => name in oldFields && name in newFields && formatText(oldFields[name]) !== formatText(newFields[name]),
  );
  return changedFields.length === 0
    ? null
    : changedFields.map(([name, labels]) => `${labels} from ${formatText(oldFields[name])} to ${formatText(newFields[name])}`).join('; ');
}

const CONTACT_LABELS: Readonly<Record<string, string>> = { name: 'name', role: 'role', email: 'email', phone: 'phone' };

/** For example "VIP, New; before: VIP". */
function describeTags(before: unknown, after: unknown): string {
  const formatList = (value: unknown): string => {
    const { tags } = toFields(value);
    return Array.isArray(tags) && tags.length > 0 ? tags.join(', ') : 'none';
  };
  return `${formatList(after)}; before: ${formatList(before)}`;
}

/** For example "VAT group: member" with "number 193054661". Only some colleagues may see who the representative member is. */
function describeVatGroup(after: unknown): ChangeDescription {
  const role = getText(after, 'vat_group_role');
  if (role === '') return { title: 'VAT group: not in one', detail: null };
  if (role === 'representative') return { title: 'VAT group: representative member', detail: `number ${getText(after, 'vrn')}` };
  const groupVrn = getText(after, 'vat_group_vrn');
  const representativeId = getText(after, 'representative_id');
  return {
    title: 'VAT group: member',
    detail: groupVrn === '' ? null : `number ${groupVrn}`,
    ...(representativeId === '' ? {} : { representativeId }),
  };
}

function getText(value: unknown, name: string): string {
  const text = toFields(value)[name];
  return typeof text === 'string' ? text : '';
}

/** Changes to books and VAT returns. */
const RETURN_TITLES: Readonly<Record<string, string>> = {
  'books.applied': 'Books uploaded',
  'books.file_received': 'Books file received',
  'books.columns_chosen': 'Columns chosen for the books file',
  'return.adjusted': 'VAT return adjusted',
  'return.adjustment_removed': 'VAT return adjustment removed',
  'return.correction_included': 'Earlier errors included in the VAT return',
  'return.correction_reported': 'Earlier VAT errors recorded as reported to HMRC',
  'return.correction_left_out': 'Differences in earlier VAT returns left out',
  'return.correction_undone': 'Decision about an earlier VAT error undone',
  'return.sent_for_approval': 'VAT return sent for approval',
  'return.approved': 'VAT return approved',
  'return.approved_outside': 'VAT return recorded as approved outside the portal',
  'return.queried': 'Question about the VAT return',
  'return.question_answered': 'Message about the VAT return',
  'return.approval_withdrawn': 'VAT return withdrawn from approval',
  'return.approval_void': 'VAT return approval cancelled: the figures changed',
  'return.filing': 'VAT return sent to HMRC',
  'return.accepted': 'VAT return filed: HMRC accepted it',
  'return.refused': 'HMRC rejected the VAT return',
  'return.not_received': 'VAT return not filed: it didn’t reach HMRC',
  'return.unknown': 'HMRC’s response to the VAT return was lost',
  'return.receipt_added': 'HMRC receipt added for VAT return',
};

/** Changes to tasks; the detail is the task's title. */
const WORK_TITLES: Readonly<Record<string, string>> = {
  'work.created': 'Task created',
  'work.created_from_template': 'Tasks created from a template',
  'work.created_by_obligation': 'Tasks created for a return',
  'work.done': 'Task completed',
  'work.done_by_filing': 'Tasks completed: HMRC has the return',
  'work.assigned': 'Task reassigned',
  'work.changed': 'Task changed',
  'work.removed': 'Task deleted',
  'work.change_undone': 'Task change undone',
  'agent.proposed': 'Draft proposed',
  'agent.approved': 'Assistant’s draft approved',
  'agent.acted': 'Done by the assistant',
  'agent.reverted': 'Assistant’s action undone',
  'agent.rejected': 'Assistant’s draft rejected',
  'agent.client_set': 'Assistant’s rules changed for the client',
};

/** Changes to files; the detail is the file's name. */
const FILE_TITLES: Readonly<Record<string, string>> = {
  'file.sent_by_client': 'File received from the client',
  'file.uploaded': 'File added',
  'file.shared': 'File shared with the client',
  'file.unshared': 'File no longer shared',
  'file.infected': 'File with a virus deleted',
  'file.removed': 'File deleted',
};

/** Requests for information and the conversation; the detail is the question. */
const REQUEST_TITLES: Readonly<Record<string, string>> = {
  'request.sent': 'Request sent to the client',
  'request.answered': 'Question answered by the client',
  'request.accepted': 'Answer accepted',
  'request.asked_again': 'Asked again',
  'request.completed': 'Request completed',
  'request.cancelled': 'Request cancelled',
  'letter.sent': 'Letter of engagement sent',
  'letter.signed': 'Letter of engagement signed',
  'client.person_consented': 'Agreed to electronic communication',
  'conversation.written': 'Message to the client',
  'conversation.written_by_client': 'Message from the client',
};

/** Proposed early refunds; the detail is the note or the reason. Amounts are never in the audit trail of the practice. */
const PROPOSAL_TITLES: Readonly<Record<string, string>> = {
  'advance_proposal.proposed': 'Early refund proposed',
  'advance_proposal.seen': 'Client viewed the proposed early refund',
  'advance_proposal.started': 'Client continued with the early refund on InstantVAT',
  'advance_proposal.figures_shared': 'Client shared the early refund amounts with you',
  'advance_proposal.figures_hidden': 'Client stopped sharing the early refund amounts',
  'advance_proposal.declined': 'Early refund declined by the client',
  'advance_proposal.withdrawn': 'Proposed early refund withdrawn',
  'advance_proposal.replaced': 'Proposed early refund replaced by a newer proposal',
  'advance_proposal.accepted': 'Client’s company accepted an offer for the early refund',
  'advance_proposal.paid': 'Early refund paid to the client',
  'advance_proposal.settled': 'Early refund settled',
};

/** Changes that don't need any detail besides the title. */
const PLAIN_TITLES: Readonly<Record<string, string>> = {
  'client.created': 'Client added manually',
  'client.note_removed': 'Note deleted',
  'client.note_pinned': 'Note pinned',
  'client.note_unpinned': 'Note unpinned',
  'client.person_preference': 'Notification preferences changed',
  'clients.change_undone': 'Bulk change undone',
};

const SHARED_TITLES: Readonly<Record<string, string>> = { ...WORK_TITLES, ...RETURN_TITLES, ...PROPOSAL_TITLES };

/** Returns a task's title. For books and returns, returns the reason or the file. */
const describeDetail = (after: unknown): string | null =>
  ['title', 'reason', 'refusal', 'fileName'].map((name) => getText(after, name)).find((text) => text !== '') ?? null;

export function describeChange(action: string, after: unknown, before?: unknown): ChangeDescription {
  const fields = toFields(after);
  const personId = typeof fields['user_id'] === 'string' ? fields['user_id'] : '';
  switch (action) {
    case 'client.edited':
      return { title: 'Details changed', detail: describeFieldChanges(before, after) };
    case 'client.vat_group_set':
      return describeVatGroup(after);
    case 'client.note_edited':
      return { title: 'Note edited', detail: `Previously: ${getText(before, 'text')}` };
    case 'client.contact_added':
      return { title: 'Contact added', detail: getText(after, 'name') };
    case 'client.contact_edited':
      return { title: 'Contact changed', detail: describeFieldChanges(before, after, CONTACT_LABELS) ?? getText(after, 'name') };
    case 'client.contact_removed':
      return { title: 'Contact removed', detail: getText(before, 'name') };
    case 'client.invited':
      return { title: 'Invited to the client portal', detail: getText(after, 'email') };
    case 'client.invitation_resent':
      return { title: 'Invitation sent again', detail: getText(after, 'email') };
    case 'client.invitation_revoked':
      return { title: 'Invitation revoked', detail: getText(after, 'email') };
    case 'client.person_joined':
      return { title: 'Joined the client portal', detail: getText(after, 'email') };
    case 'client.person_left':
      return { title: 'Left the client portal', detail: getText(before, 'email') };
    case 'client.person_removed':
      return { title: 'Access to the client portal ended', detail: getText(before, 'email') };
    case 'client.email_repeated':
      return { title: 'Email sent again', detail: getText(after, 'title') };
    case 'client.tags_set':
      return { title: 'Tags changed', detail: describeTags(before, after) };
    case 'client.balance_entered':
    // Older audit entries use this former name.
    case 'client.books_said':
      return { title: `Books balance for ${toLabel(fields['tax'], TAX_LABELS)} entered`, detail: null };
    case 'client.turnover_entered':
      return { title: 'Turnover entered', detail: null };
    case 'clients.status_set':
      return { title: `Status changed to ${toLabel(fields['status'], {})}`, detail: null };
    case 'clients.assigned':
      return { title: 'Assigned', detail: toLabel(fields['duty'], DUTY_LABELS), personId };
    case 'clients.handed_over':
      return personId === ''
        ? { title: 'Unassigned', detail: `${toLabel(fields['duty'], DUTY_LABELS)}, because the person left` }
        : { title: 'Reassigned', detail: toLabel(fields['duty'], DUTY_LABELS), personId };
    case 'clients.unassigned':
      return { title: 'Unassigned', detail: toLabel(fields['duty'], DUTY_LABELS), personId };
    case 'clients.grouped':
      return { title: 'Added to a group', detail: getText(after, 'group') };
    case 'clients.ungrouped':
      return { title: 'Removed from a group', detail: getText(after, 'group') };
    default:
      if (PLAIN_TITLES[action] !== undefined) return { title: PLAIN_TITLES[action], detail: null };
      if (FILE_TITLES[action] !== undefined)
        return { title: FILE_TITLES[action], detail: getText(after, 'file') || getText(before, 'file') };
      if (REQUEST_TITLES[action] !== undefined)
        return { title: REQUEST_TITLES[action], detail: getText(after, 'item') || getText(after, 'title') || null };
      if (SHARED_TITLES[action] !== undefined) return { title: SHARED_TITLES[action], detail: describeDetail(after) };
      if (action.startsWith('authorisation.')) {
        return {
          title: `Authorisation for ${toLabel(fields['tax'], TAX_LABELS)}`,
          detail: toLabel(fields['status'], AUTHORISATION_LABELS).toLowerCase(),
        };
      }
      // An unknown action is shown under its raw name, so that no change is hidden.
      return { title: action.replace(/^clients?\./, '').replaceAll(/[._]/g, ' '), detail: null };
  }
}
