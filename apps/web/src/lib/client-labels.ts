/** Labels for a client's codes. */
import { AUTHORISATION_LABELS, type AuthorisationFilter } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { ClientStatus } from '@portal/domain/clients/client.ts';
import type { ClientAttention } from '@portal/domain/positions/summarise-client.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import { findPage } from '@portal/contract/pages.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { Role } from '../core/tokens.ts';
import type { IconName } from '../ui/icon.tsx';

/** Formats the number of due items, counted as in the totals and the list filter. Quarterly updates belong to Self Assessment. */
export function formatDueItems(count: number, tax: Tax | 'all'): string {
  const hasUpdates = tax === 'all' || tax === 'sa';
  const statusText =
    count === 1
      ? `return${hasUpdates ? ', quarterly update' : ''} or payment`
      : `returns${hasUpdates ? ', quarterly updates' : ''} and payments`;
  return `${count.toLocaleString('en-GB')} ${statusText}`;
}

type Chip = { readonly label: string; readonly icon: IconName; readonly tone: Role };

/** Why a client needs attention. */
export const NEED_LABELS: Readonly<Record<ClientAttention, Chip>> = {
  overdue_payment: { label: 'Payment overdue', icon: 'errorCircle', tone: 'error' },
  overdue_return: { label: 'Return overdue', icon: 'errorCircle', tone: 'error' },
  overdue_update: { label: 'Quarterly update overdue', icon: 'errorCircle', tone: 'error' },
  sync_failed: { label: 'Last refresh failed', icon: 'warning', tone: 'warning' },
  not_authorised: { label: 'Not authorised', icon: 'lock', tone: 'warning' },
  authorisation_pending: { label: 'Waiting for client', icon: 'clock', tone: 'info' },
  due_soon: { label: 'Due within 7 days', icon: 'clock', tone: 'info' },
  no_data: { label: 'Some taxes not updated yet', icon: 'info', tone: 'info' },
  none: { label: 'No action needed', icon: 'checkCircle', tone: 'success' },
};

/** The list filter by HMRC authorisation. The first choice combines the three after “Not checked yet”: all clients that need a request. */
export const AUTHORISATION_FILTER_LABELS: Readonly<Record<AuthorisationFilter, string>> = {
  missing: 'Not authorised, no open request',
  not_checked: AUTHORISATION_LABELS.not_checked,
  not_started: 'Never authorised',
  expired: AUTHORISATION_LABELS.expired,
  revoked: AUTHORISATION_LABELS.revoked,
  pending: 'Request waiting for the client',
  expiring: 'Request expires within 7 days',
  authorised: AUTHORISATION_LABELS.authorised,
  suspended: AUTHORISATION_LABELS.suspended,
};

export const STATUS_NAMES: Readonly<Record<ClientStatus, string>> = {
  lead: 'Lead',
  inviting: 'Inviting',
  active: 'Active',
  inactive: 'Inactive',
  closed: 'Closed',
};

/** What practice members do for a client. */
export const DUTY_NAMES: Readonly<Record<ClientRow['members'][number]['duty'], string>> = {
  manager: 'Manager',
  vat: 'VAT',
  payroll: 'Payroll',
  deputy: 'Deputy',
};

export const KIND_NAMES: Readonly<Record<ClientRow['kind'], string>> = {
  company: 'Company',
  llp: 'LLP',
  partnership: 'Partnership',
  sole_trader: 'Sole trader',
  individual: 'Individual',
  trust: 'Trust',
  charity: 'Charity',
};

export const formatClientCount = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'client' : 'clients'}`;

/** The part of a client's VAT section where its books are uploaded. */
export const CLIENT_BOOKS_ID = 'books';

const CLIENT_PATH = '/v2/open-tax/client-dashboard';

/** Returns the path of a client's page, below /portal, or undefined if the portal doesn't have one. */
export function getClientLink(companyId: string, clientId: string): string | undefined {
  if (findPage(CLIENT_PATH) === undefined) return undefined;
  return `${CLIENT_PATH}?${new URLSearchParams({ company_id: companyId, client_id: clientId })}`;
}
