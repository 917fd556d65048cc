/** Companies House's double: search, profiles and officers of an invented register, with the API's key, its rate limit and its odd paging. */
import type { Clock } from '@portal/domain/clock.ts';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorDeps } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { CUT_CONNECTION } from '../simulator/faults.ts';
import type { CompanyStatus } from '@portal/providers/companies-house/companies-house-port.ts';
import { SANDBOX_COMPANIES_HOUSE } from './sandbox-credentials.ts';
import { openRateWindow } from './rate-window.ts';
import { officersAnswer, profileAnswer, searchAnswer, type Page } from './register-answers.ts';
import type { RegisterCompany } from './register-company.ts';
import { openRegister, type RegisterRecords } from './register-records.ts';
import { isSameName, searchRegister } from './search-register.ts';

export type CompaniesHouseControls = {
  /** As the search box finds them; everybody for "". */
  listCompanies(query?: string): RegisterCompany[];
  findCompany(number: string): RegisterCompany | undefined;
  /** Adds a company, or puts another in the place of its number. */
  putCompany(company: RegisterCompany): void;
  /** False where no company has the number. */
  setStatus(number: string, status: Exclude<CompanyStatus, 'unknown'>): boolean;
  /** From now on the company files two years late (or in time again). False where no company has the number. */
  setFiling(number: string, habit: 'prompt' | 'behind'): boolean;
  /** Adds a crowd of invented companies, the same for the same seed. */
  addCompanies(count: number, seed: number): void;
  /** Calls counted in the five minutes under way. */
  callsInWindow(): number;
};

export type CompaniesHouseSimulator = Simulator & { readonly controls: CompaniesHouseControls };

/** The calls that a fault can be put into, by the names the faults use. */
export const COMPANIES_HOUSE_OPERATIONS = ['companies_house.search', 'companies_house.profile', 'companies_house.officers'] as const;

type Reply = { readonly status: number; readonly body?: unknown };
type Route = {
  readonly method: 'GET';
  readonly path: string;
  readonly operation: (typeof COMPANIES_HOUSE_OPERATIONS)[number];
  readonly answer: (register: RegisterRecords, clock: Clock, call: SimulatorCall) => Reply;
};

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/search/companies', operation: 'companies_house.search', answer: search },
  { method: 'GET', path: '/company/:number', operation: 'companies_house.profile', answer: findProfile },
  { method: 'GET', path: '/company/:number/officers', operation: 'companies_house.officers', answer: listOfficers },
];

export function createCompaniesHouseSimulator(deps: SimulatorDeps): CompaniesHouseSimulator {
  const register = openRegister(deps.store);
  const window = openRateWindow(deps.store, deps.clock);
  const basePath = new URL(deps.publicUrl).pathname.replace(/\/$/, '');
  return {
    fetch: async (request) => {
      const unknown = refuseKey(request);
      if (unknown) return unknown;
      const { isOver, headers } = window.count();
      if (isOver) return new Response(null, { status: 429, headers });
      const url = new URL(request.url);
      const found = findRoute(ROUTES, basePath, request.method, url.pathname);
      if (!found) return json(404, fault('not-found'), headers);
      const { route, params } = found;
      const call: SimulatorCall = { request, url, params, bodyText: '' };
      const response = await deps.faults.through(route.operation, () => {
        const { status, body } = route.answer(register, deps.clock, call);
        return body === undefined ? new Response(null, { status, headers }) : json(status, body, headers);
      });
      return inOwnWords(response, headers);
    },
    controls: controlsOf(register, () => window.calls()),
  };
}

function controlsOf(register: RegisterRecords, callsInWindow: () => number): CompaniesHouseControls {
  const change = (number: string, over: Partial<RegisterCompany>): boolean => {
    const company = register.find(number);
    if (company) register.put({ ...company, ...over });
    return company !== undefined;
  };
  return {
    listCompanies: (query = '') => (query.trim() === '' ? [...register.all()] : searchRegister(register.all(), query)),
    findCompany: (number) => register.find(number),
    putCompany: (company) => register.put(company),
    setStatus: (number, status) => change(number, { status }),
    setFiling: (number, habit) => change(number, { accounts: habit, confirmation: habit }),
    addCompanies: (count, seed) => register.addBatch({ count, seed }),
    callsInWindow,
  };
}

function refuseKey(request: Request): Response | undefined {
  const header = request.headers.get('authorization');
  if (header === null) return json(401, { error: 'Empty Authorization header', type: 'ch:service' });
  const credentials = /^Basic (\S+)$/i.exec(header)?.[1] ?? '';
  const isKnown = Buffer.from(credentials, 'base64').toString() === `${SANDBOX_COMPANIES_HOUSE.apiKey}:`;
  return isKnown ? undefined : json(401, { error: 'Invalid Authorization', type: 'ch:service' });
}

function search(register: RegisterRecords, _clock: Clock, { url }: SimulatorCall): Reply {
  const query = url.searchParams.get('q') ?? '';
  if (query.trim() === '') return { status: 400, body: fault('invalid-request') };
  const page = searchPage(url.searchParams);
  if (page === 'out of reach') return { status: 416 };
  const restrictions = (url.searchParams.get('restrictions') ?? '').split(/[\s+]+/);
  const hits = searchRegister(register.all(), query).filter(
    ({ name, status }) =>
      (!restrictions.includes('active-companies') || status === 'active') &&
      (!restrictions.includes('legally-equivalent-company-name') || isSameName(name, query)),
  );
  return { status: 200, body: searchAnswer(hits, query, page) };
}

/** Only the first thousand hits can be reached (forum t/12373), a hundred a page. */
const REACH = 1000;
const PAGE_LIMIT = 100;
const PAGE_DEFAULT = 20;

function searchPage(parameters: URLSearchParams): Page | 'out of reach' {
  const itemsPerPage = Math.min(wholeNumber(parameters.get('items_per_page')) || PAGE_DEFAULT, PAGE_LIMIT);
  const asked = wholeNumber(parameters.get('start_index'));
  if (asked + itemsPerPage > REACH) return 'out of reach';
  // A start between two pages is answered from the page's beginning (forum t/339); one item a page is answered one too far (t/2077, t/3774).
  const page = Math.floor(asked / itemsPerPage) + (itemsPerPage === 1 ? 1 : 0);
  return { itemsPerPage, startIndex: page * itemsPerPage, pageNumber: page + 1 };
}

function findProfile(register: RegisterRecords, clock: Clock, { params }: SimulatorCall): Reply {
  const company = register.find(params['number'] ?? '');
  if (!company) return { status: 404, body: fault('company-profile-not-found') };
  return { status: 200, body: profileAnswer(company, clock.today()) };
}

function listOfficers(register: RegisterRecords, _clock: Clock, { params, url }: SimulatorCall): Reply {
  const company = register.find(params['number'] ?? '');
  if (!company || company.officers.length === 0) return { status: 404, body: fault('company-officers-not-found') };
  const itemsPerPage = Math.min(wholeNumber(url.searchParams.get('items_per_page')) || 35, PAGE_LIMIT);
  return { status: 200, body: officersAnswer(company, wholeNumber(url.searchParams.get('start_index')), itemsPerPage) };
}

function fault(error: string): object {
  return { errors: [{ error, type: 'ch:service' }] };
}

/** Every answer to a known key tells the state of its window; what does not was made by a shared fault, in another provider's words. */
function inOwnWords(response: Response, headers: Record<string, string>): Response {
  if (response.status === CUT_CONNECTION || response.headers.has('x-ratelimit-limit')) return response;
  return new Response(null, {
    status: response.status,
    headers: response.status === 429 ? { ...headers, 'x-ratelimit-remain': '0' } : headers,
  });
}

function wholeNumber(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
