/**
 * Simulates the Companies House API over an invented register: search, profiles and officers, with its key check, rate limit and paging
 * quirks.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createFaultHooks, type RejectCall } from '../simulator/fault-hooks.ts';
import { searchParams } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { CompanyStatus } from '@portal/providers/companies-house/companies-house-port.ts';
import { SANDBOX_COMPANIES_HOUSE } from './sandbox-credentials.ts';
import { openRateWindow } from './rate-window.ts';
import { toControllersResponse, toOfficersResponse, toProfileResponse, toSearchResponse, type SearchPage } from './register-responses.ts';
import type { RegisterCompany, RegisterIdentity, RegisterOfficer } from './register-company.ts';
import { openRegister, type RegisterRecords } from './register-records.ts';
import { isSameName, searchRegister } from './search-register.ts';

export type CompaniesHouseControls = {
  /** Returns the companies that match the query, or all companies for "". */
  listCompanies(query?: string): RegisterCompany[];
  findCompany(number: string): RegisterCompany | undefined;
  /** Adds a company, or replaces the one with the same number. */
  putCompany(company: RegisterCompany): void;
  /** Returns false when no company has the number. */
  setStatus(number: string, status: Exclude<CompanyStatus, 'unknown'>): boolean;
  /** Makes the company file two years late from now on, or on time again. Returns false when no company has the number. */
  setFilingHabit(number: string, filing: 'prompt' | 'behind'): boolean;
  /** Appoints a director. Returns false when no company has the number. */
  addOfficer(number: string, officer: RegisterOfficer): boolean;
  /** Records a person's identity verification on the register, in every role held under that name. */
  setIdentity(number: string, name: string, identity: RegisterIdentity): boolean;
  /** Adds invented companies. The same seed always adds the same companies. */
  addCompanies(count: number, seed: number): void;
  /** Returns the number of calls in the current five-minute window. */
  callsInWindow(): number;
};

export type CompaniesHouseSimulator = { readonly plugin: FastifyPluginAsync; readonly controls: CompaniesHouseControls };

type NumberParams = { Params: { number: string } };

/** Operations for which faults can be set. */
export const COMPANIES_HOUSE_OPERATIONS = [
  'companies_house.search',
  'companies_house.profile',
  'companies_house.officers',
  'companies_house.controllers',
] as const;

export function createCompaniesHouseSimulator(deps: SimulatorDeps): CompaniesHouseSimulator {
  const register = openRegister(deps.store);
  const window = openRateWindow(deps.store, deps.clock);
  const toRouteOptions = (operation: (typeof COMPANIES_HOUSE_OPERATIONS)[number]) => ({
    ...createFaultHooks(deps.faults, operation, rejectCall),
  });
  return {
    plugin: async (app) => {
      app.addHook('onRequest', async (request, reply) => {
        const refusal = rejectUnknownKey(request);
        if (refusal !== undefined) return reply.code(401).send({ error: refusal, type: 'ch:service' });
        const { isOver, headers } = window.count();
        // Every response to a known key reports its rate-limit window.
        reply.headers(headers);
        return isOver ? reply.code(429).send() : undefined;
      });
      app.setNotFoundHandler((_request, reply) => reply.code(404).send(toErrorBody('not-found')));
      app.get('/search/companies', toRouteOptions('companies_house.search'), (request, reply) => search(register, request, reply));
      app.get<NumberParams>('/company/:number', toRouteOptions('companies_house.profile'), ({ params }, reply) => {
        const company = register.find(params.number);
        if (!company) return reply.code(404).send(toErrorBody('company-profile-not-found'));
        return reply.send(toProfileResponse(company, deps.clock.today()));
      });
      app.get<NumberParams>('/company/:number/officers', toRouteOptions('companies_house.officers'), (request, reply) =>
        listOfficers(register, request, reply, deps.clock.today()),
      );
      app.get<NumberParams>(
        '/company/:number/persons-with-significant-control',
        toRouteOptions('companies_house.controllers'),
        (request, reply) => listControllers(register, request, reply, deps.clock.today()),
      );
    },
    controls: createControls(register, () => window.calls()),
  };
}

function createControls(register: RegisterRecords, callsInWindow: () => number): CompaniesHouseControls {
  const changeCompany = (number: string, overrides: Partial<RegisterCompany>): boolean => {
    const company = register.find(number);
    if (company) register.save({ ...company, ...overrides });
    return company !== undefined;
  };
  return {
    listCompanies: (query = '') => (query.trim() === '' ? [...register.all()] : searchRegister(register.all(), query)),
    findCompany: (number) => register.find(number),
    putCompany: (company) => register.save(company),
    setStatus: (number, status) => changeCompany(number, { status }),
    setFilingHabit: (number, filing) => changeCompany(number, { accounts: filing, confirmation: filing }),
    addOfficer: (number, officer) => changeCompany(number, { officers: [...(register.find(number)?.officers ?? []), officer] }),
    setIdentity: (number, name, identity) => {
      const company = register.find(number);
      const isPerson = (person: { readonly name: string }) => person.name === name;
      if (!company || ![...company.officers, ...(company.controllers ?? [])].some(isPerson)) return false;
      const withIdentity = <Person extends { readonly name: string }>(person: Person) =>
        isPerson(person) ? { ...person, identity } : person;
      return changeCompany(number, {
        officers: company.officers.map(withIdentity),
        controllers: (company.controllers ?? []).map(withIdentity),
      });
    },
    addCompanies: (count, seed) => register.addBatch({ count, seed }),
    callsInWindow,
  };
}

function rejectUnknownKey({ headers }: FastifyRequest): string | undefined {
  if (headers.authorization === undefined) return 'Empty Authorization header';
  const credentials = /^Basic (\S+)$/i.exec(headers.authorization)?.[1] ?? '';
  const isKnown = Buffer.from(credentials, 'base64').toString() === `${SANDBOX_COMPANIES_HOUSE.apiKey}:`;
  return isKnown ? undefined : 'Invalid Authorization';
}

function search(register: RegisterRecords, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parameters = searchParams(request);
  const query = parameters.get('q') ?? '';
  if (query.trim() === '') return reply.code(400).send(toErrorBody('invalid-request'));
  const page = searchPage(parameters);
  if (page === 'out of reach') return reply.code(416).send();
  const restrictions = (parameters.get('restrictions') ?? '').split(/[\s+]+/);
  const hits = searchRegister(register.all(), query).filter(
    ({ name, status }) =>
      (!restrictions.includes('active-companies') || status === 'active') &&
      (!restrictions.includes('legally-equivalent-company-name') || isSameName(name, query)),
  );
  return reply.send(toSearchResponse(hits, query, page));
}

/** Companies House returns only the first thousand hits (forum t/12373), at most a hundred per page. */
const MAX_REACHABLE_HITS = 1000;
const MAX_PAGE_SIZE = 100;
const PAGE_DEFAULT = 20;

function searchPage(parameters: URLSearchParams): SearchPage | 'out of reach' {
  const itemsPerPage = Math.min(parseWholeNumber(parameters.get('items_per_page')) || PAGE_DEFAULT, MAX_PAGE_SIZE);
  const requestedStart = parseWholeNumber(parameters.get('start_index'));
  if (requestedStart + itemsPerPage > MAX_REACHABLE_HITS) return 'out of reach';
  // When the start index falls between two pages, the API returns the whole page (Companies House forum t/339). With one item per page, it
  // skips an item (t/2077, t/3774).
  const page = Math.floor(requestedStart / itemsPerPage) + (itemsPerPage === 1 ? 1 : 0);
  return { itemsPerPage, startIndex: page * itemsPerPage, pageNumber: page + 1 };
}

type PeopleRequest = FastifyRequest<NumberParams>;

function listOfficers(register: RegisterRecords, request: PeopleRequest, reply: FastifyReply, today: PlainDate): FastifyReply {
  const company = register.find(request.params.number);
  if (!company || company.officers.length === 0) return reply.code(404).send(toErrorBody('company-officers-not-found'));
  const parameters = searchParams(request);
  const itemsPerPage = Math.min(parseWholeNumber(parameters.get('items_per_page')) || 35, MAX_PAGE_SIZE);
  return reply.send(toOfficersResponse(company, { startIndex: parseWholeNumber(parameters.get('start_index')), itemsPerPage }, today));
}

function listControllers(register: RegisterRecords, request: PeopleRequest, reply: FastifyReply, today: PlainDate): FastifyReply {
  const company = register.find(request.params.number);
  if (!company?.controllers || company.controllers.length === 0) return reply.code(404).send(toErrorBody('company-psc-not-found'));
  const parameters = searchParams(request);
  const itemsPerPage = Math.min(parseWholeNumber(parameters.get('items_per_page')) || 25, MAX_PAGE_SIZE);
  return reply.send(toControllersResponse(company, { startIndex: parseWholeNumber(parameters.get('start_index')), itemsPerPage }, today));
}

function toErrorBody(error: string): object {
  return { errors: [{ error, type: 'ch:service' }] };
}

/** Companies House sends these errors without a message. */
const rejectCall: RejectCall = (reply, { status }) => {
  if (status === 429) reply.header('x-ratelimit-remain', '0');
  return reply.code(status).send();
};

function parseWholeNumber(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
