/** Client for the Companies House public data API. */
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { createCompaniesHouseHttp, type CompaniesHouseHttpSettings } from './companies-house-http.ts';
import { toController, toOfficer, toProfile, toSummary } from './companies-house-map.ts';
import type { CompanyProfile, CompanyRegister, CompanySummary, Controller, Officer } from './companies-house-port.ts';
import { controllersWire, officersWire, profileWire, searchWire, type ControllerWire, type OfficerWire } from './companies-house-wire.ts';

const PROFILE_TTL_MS = 24 * 3_600_000;
const SEARCH_TTL_MS = 5 * 60_000;
const MAX_CACHED_PROFILES = 2_000;
const MAX_CACHED_SEARCHES = 500;
const PAGE_SIZE = 100;
/** Limits a read of officers or controllers to 20 pages; no company has more. */
const MAX_PEOPLE_PAGES = 20;
const MAX_QUERY_LENGTH = 160;

export function createCompaniesHouseClient(settings: CompaniesHouseHttpSettings): CompanyRegister {
  const http = createCompaniesHouseHttp(settings);
  const { clock } = settings;
  const searches = createBoundedCache<CompanySummary[]>(clock, { maxEntries: MAX_CACHED_SEARCHES, ttlMs: () => SEARCH_TTL_MS });
  const profiles = createBoundedCache<CompanyProfile | undefined>(clock, {
    maxEntries: MAX_CACHED_PROFILES,
    // "Not found" is cached only as long as a search, because a company may be registered while its owner signs up.
    ttlMs: (profile) => (profile ? PROFILE_TTL_MS : SEARCH_TTL_MS),
  });
  const officers = createBoundedCache<Officer[]>(clock, {
    maxEntries: MAX_CACHED_PROFILES,
    ttlMs: (found) => (found.length > 0 ? PROFILE_TTL_MS : SEARCH_TTL_MS),
  });
  const controllers = createBoundedCache<Controller[]>(clock, {
    maxEntries: MAX_CACHED_PROFILES,
    ttlMs: (found) => (found.length > 0 ? PROFILE_TTL_MS : SEARCH_TTL_MS),
  });
  return {
    searchCompanies: async ({ query, limit }) => {
      const q = normaliseQuery(query);
      if (q === '') return [];
      const itemCount = Math.min(Math.max(Math.trunc(limit), 1), PAGE_SIZE);
      const foundCompanies = await searches.getOrLoad(`${itemCount} ${q}`, async () => {
        // With items_per_page=1, the API returns the second hit (Companies House forum t/2077, t/3774), so we request at least two.
        const parameters = new URLSearchParams({ q, items_per_page: String(Math.max(itemCount, 2)), start_index: '0' });
        const searchResponse = await http.read('search', `/search/companies?${parameters}`, searchWire);
        return (searchResponse?.items ?? []).slice(0, itemCount).map(toSummary);
      });
      return [...foundCompanies];
    },
    findCompany: async (number) => {
      const parsed = parseCompanyNumber(number);
      if (!parsed.ok) return undefined;
      return profiles.getOrLoad(parsed.value, async () => {
        const wire = await http.read('profile', `/company/${parsed.value}`, profileWire);
        return wire && toProfile(wire, clock.now());
      });
    },
    listOfficers: async (number) => {
      const parsed = parseCompanyNumber(number);
      if (!parsed.ok) return [];
      const foundOfficers = await officers.getOrLoad(parsed.value, async () => {
        const allOfficers = await readPeople<OfficerWire>((page) =>
          http.read('officers', `/company/${parsed.value}/officers?${page}`, officersWire),
        );
        return allOfficers.filter(({ resigned_on }) => !resigned_on).map(toOfficer);
      });
      return [...foundOfficers];
    },
    listControllers: async (number) => {
      const parsed = parseCompanyNumber(number);
      if (!parsed.ok) return [];
      const path = `/company/${parsed.value}/persons-with-significant-control`;
      const foundControllers = await controllers.getOrLoad(parsed.value, async () => {
        const allControllers = await readPeople<ControllerWire>((page) => http.read('controllers', `${path}?${page}`, controllersWire));
        return allControllers
          .filter(({ ceased, ceased_on }) => ceased !== true && !ceased_on)
          .flatMap(({ name, ...rest }): Controller[] => (name ? [toController({ name, ...rest })] : []));
      });
      return [...foundControllers];
    },
  };
}

type PeoplePage<Person> = { readonly total_results?: number | undefined; readonly items: readonly Person[] };

async function readPeople<Person>(readPage: (parameters: URLSearchParams) => Promise<PeoplePage<Person> | undefined>): Promise<Person[]> {
  const people: Person[] = [];
  for (let page = 0; page < MAX_PEOPLE_PAGES; page += 1) {
    const pageResponse = await readPage(new URLSearchParams({ items_per_page: String(PAGE_SIZE), start_index: String(people.length) }));
    if (!pageResponse || pageResponse.items.length === 0) break;
    people.push(...pageResponse.items);
    if (people.length >= (pageResponse.total_results ?? 0)) break;
  }
  return people;
}

/** Returns the search text in the form that is cached and sent. Pads a company number to eight characters, the only form the API finds. */
function normaliseQuery(query: string): string {
  const normalised = query.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_QUERY_LENGTH).toLowerCase();
  if (!/^[a-z]{0,2}\d{5,8}$/.test(normalised)) return normalised;
  const number = parseCompanyNumber(normalised);
  return number.ok ? number.value : normalised;
}
