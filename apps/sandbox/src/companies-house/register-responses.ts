/** Builds the register's responses in the format that Companies House sends. */
import { createHash } from 'node:crypto';
import { formatDate, toDateParts, type PlainDate } from '@portal/domain/plain-date.ts';
import { getBirthDate } from '../simulator/birth-date.ts';
import {
  getAccountsState,
  getConfirmationState,
  type AccountsState,
  type RegisterAddress,
  type RegisterCompany,
  type RegisterController,
  type RegisterOfficer,
} from './register-company.ts';
import { toControllerIdentity, toOfficerIdentity } from './register-identity.ts';
import { markMatches } from './search-register.ts';

const INSOLVENT_STATUSES = ['liquidation', 'receivership', 'administration', 'voluntary-arrangement', 'insolvency-proceedings'];

export function toProfileResponse(company: RegisterCompany, today: PlainDate): object {
  const self = `/company/${company.number}`;
  const accounts = getAccountsState(company, today);
  const confirmation = getConfirmationState(company, today);
  const hasInsolvency = INSOLVENT_STATUSES.includes(company.status) || company.had_insolvency === true;
  const responseBody = {
    company_name: company.name,
    company_number: company.number,
    company_status: company.status,
    ...(company.status_detail ? { company_status_detail: company.status_detail } : {}),
    type: company.type,
    jurisdiction: company.jurisdiction,
    date_of_creation: company.incorporated_on,
    ...(company.ceased_on ? { date_of_cessation: company.ceased_on } : {}),
    registered_office_address: company.address,
    ...(company.previous_names ? { previous_company_names: company.previous_names } : {}),
    undeliverable_registered_office_address: false,
    registered_office_is_in_dispute: false,
    sic_codes: company.sic_codes,
    ...(accounts ? { accounts: toAccountsResponse(company, accounts, today) } : {}),
    ...(confirmation
      ? {
          confirmation_statement: {
            ...(confirmation.last ? { last_made_up_to: confirmation.last } : {}),
            next_made_up_to: confirmation.next,
            next_due: confirmation.due,
            overdue: confirmation.due < today,
          },
        }
      : {}),
    can_file: company.status === 'active',
    has_charges: false,
    has_insolvency_history: hasInsolvency,
    has_been_liquidated: company.status === 'liquidation',
    links: {
      self,
      filing_history: `${self}/filing-history`,
      officers: `${self}/officers`,
      persons_with_significant_control: `${self}/persons-with-significant-control`,
      ...(hasInsolvency ? { insolvency: `${self}/insolvency` } : {}),
    },
  };
  return { ...responseBody, etag: toEtag(responseBody) };
}

/** The live API sends the accounting reference date as strings, although its description says integers (observed in public API clients). */
function toAccountsResponse(company: RegisterCompany, { reference, next, last }: AccountsState, today: PlainDate): object {
  const isOverdue = next.due < today;
  return {
    accounting_reference_date: { day: String(reference.day).padStart(2, '0'), month: String(reference.month).padStart(2, '0') },
    last_accounts: last
      ? { made_up_to: last.to, period_start_on: last.from, period_end_on: last.to, type: company.accounts_kind }
      : { type: 'null' },
    next_due: next.due,
    next_made_up_to: next.to,
    overdue: isOverdue,
    ...(company.accounts_fields === 'deprecated_only'
      ? {}
      : { next_accounts: { period_start_on: next.from, period_end_on: next.to, due_on: next.due, overdue: isOverdue } }),
  };
}

export type SearchPage = { readonly startIndex: number; readonly itemsPerPage: number; readonly pageNumber: number };

export function toSearchResponse(
  hits: readonly RegisterCompany[],
  query: string,
  { startIndex, itemsPerPage, pageNumber }: SearchPage,
): object {
  return {
    kind: 'search#companies',
    total_results: hits.length,
    start_index: startIndex,
    items_per_page: itemsPerPage,
    page_number: pageNumber,
    items: hits.slice(startIndex, startIndex + itemsPerPage).map((company) => toSearchItem(company, query)),
  };
}

function toSearchItem(company: RegisterCompany, query: string): object {
  const { title, snippet } = markMatches(company, query);
  return {
    kind: 'searchresults#company',
    title: company.name,
    company_number: company.number,
    company_status: company.status,
    company_type: company.type,
    date_of_creation: company.incorporated_on,
    ...(company.ceased_on ? { date_of_cessation: company.ceased_on } : {}),
    address: company.address,
    address_snippet: formatAddressLine(company.address),
    ...toSummary(company),
    snippet: '',
    matches: { title, snippet },
    links: { self: `/company/${company.number}` },
  };
}

function toSummary({ number, ceased_on, incorporated_on, status }: RegisterCompany): object {
  if (ceased_on) {
    return { description: `${number} - Dissolved on ${formatDate(ceased_on)}`, description_identifier: ['dissolved-on'] };
  }
  const proceedings = INSOLVENT_STATUSES.includes(status) ? [status] : [];
  return {
    description: `${number} - Incorporated on ${formatDate(incorporated_on)}`,
    description_identifier: ['incorporated-on', ...proceedings],
  };
}

export function toOfficersResponse(
  company: RegisterCompany,
  { startIndex, itemsPerPage }: Omit<SearchPage, 'pageNumber'>,
  today: PlainDate,
): object {
  const self = `/company/${company.number}/officers`;
  const page = company.officers.slice(startIndex, startIndex + itemsPerPage);
  const resignedCount = company.officers.filter(({ resigned_on }) => resigned_on !== undefined).length;
  return {
    etag: toEtag(company.officers),
    kind: 'officer-list',
    items_per_page: itemsPerPage,
    start_index: startIndex,
    total_results: company.officers.length,
    active_count: company.officers.length - resignedCount,
    inactive_count: 0,
    resigned_count: resignedCount,
    links: { self },
    items: page.map((officer) => toOfficerResponse(company, officer, today)),
  };
}

function toOfficerResponse(company: RegisterCompany, officer: RegisterOfficer, today: PlainDate): object {
  const { name, role, appointed_on, resigned_on } = officer;
  const identity = toOfficerIdentity(company, officer, today);
  const id = createHash('sha256').update(`${company.number} ${name}`).digest('base64url').slice(0, 27);
  return {
    name,
    officer_role: role,
    appointed_on,
    ...(resigned_on ? { resigned_on } : {}),
    is_pre_1992_appointment: false,
    ...(isPublished({ name, role }) ? { date_of_birth: toBirthMonth(name) } : {}),
    ...(identity ? { identity_verification_details: identity } : {}),
    address: company.address,
    links: { self: `/company/${company.number}/appointments/${id}`, officer: { appointments: `/officers/${id}/appointments` } },
  };
}

/** Companies House publishes the month of birth only for directors and members who are individuals, not for secretaries. */
function isPublished({ name, role }: Pick<RegisterOfficer, 'name' | 'role'>): boolean {
  return name.includes(',') && !role.includes('secretary') && !role.startsWith('corporate');
}

function toBirthMonth(name: string): { month: number; year: number } {
  const { month, year } = toDateParts(getBirthDate(name));
  return { month, year };
}

/** Returns the list described by pscModels.json in Companies House's public data API. It includes ceased entries. */
export function toControllersResponse(
  company: RegisterCompany,
  { startIndex, itemsPerPage }: Omit<SearchPage, 'pageNumber'>,
  today: PlainDate,
): object {
  const self = `/company/${company.number}/persons-with-significant-control`;
  const allControllers = company.controllers ?? [];
  const ceasedCount = allControllers.filter(({ ceased_on }) => ceased_on !== undefined).length;
  return {
    items_per_page: itemsPerPage,
    start_index: startIndex,
    total_results: allControllers.length,
    active_count: allControllers.length - ceasedCount,
    ceased_count: ceasedCount,
    links: { self },
    items: allControllers
      .slice(startIndex, startIndex + itemsPerPage)
      .map((controller) => toControllerResponse(company, self, controller, today)),
  };
}

function toControllerResponse(company: RegisterCompany, self: string, controller: RegisterController, today: PlainDate): object {
  const { number, address } = company;
  const { name, kind, notified_on, ceased_on } = controller;
  const identity = toControllerIdentity(company, controller, today);
  const id = createHash('sha256').update(`psc ${number} ${name}`).digest('base64url').slice(0, 27);
  const isPerson = kind === 'individual-person-with-significant-control';
  const responseBody = {
    kind,
    name,
    notified_on,
    ...(isPerson ? { date_of_birth: toBirthMonth(name) } : {}),
    ...(ceased_on ? { ceased_on, ceased: true } : {}),
    ...(identity ? { identity_verification_details: identity } : {}),
    address,
    natures_of_control: ['ownership-of-shares-75-to-100-percent'],
    links: { self: `${self}/${isPerson ? 'individual' : 'corporate-entity'}/${id}` },
  };
  return { ...responseBody, etag: toEtag(responseBody) };
}

export function formatAddressLine(address: RegisterAddress): string {
  const { premises, address_line_1, address_line_2, locality, region, country, postal_code } = address;
  return [`${premises} ${address_line_1}`, address_line_2, locality, region, country, postal_code].filter(Boolean).join(', ');
}

function toEtag(content: unknown): string {
  return createHash('sha1').update(JSON.stringify(content)).digest('hex');
}
