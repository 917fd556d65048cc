/** Client of the Companies House public data API. */
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { createCompaniesHouseHttp, type CompaniesHouseHttp, type CompaniesHouseHttpSettings } from './companies-house-http.ts';
import { toOfficer, toProfile, toSummary } from './companies-house-map.ts';
import type { CompanyProfile, CompanyRegister, CompanySummary, Officer } from './companies-house-port.ts';
import { officersWire, profileWire, searchWire, type OfficerWire } from './companies-house-wire.ts';

const PROFILE_LIFE_MS = 24 * 3_600_000;
const SEARCH_LIFE_MS = 5 * 60_000;
const PROFILES_KEPT = 2_000;
const SEARCHES_KEPT = 500;
const PAGE = 100;
/** Limits a read of officers to 20 pages, which is more than any company has. */
const OFFICER_PAGES = 20;
const QUERY_LENGTH = 160;

export function createCompaniesHouseClient(settings: CompaniesHouseHttpSettings): CompanyRegister {
  const http = createCompaniesHouseHttp(settings);
  const { clock } = settings;
  const searches = createBoundedCache<CompanySummary[]>(clock, { entries: SEARCHES_KEPT, lifeMs: () => SEARCH_LIFE_MS });
  const profiles = createBoundedCache<CompanyProfile | undefined>(clock, {
    entries: PROFILES_KEPT,
    // "Not found" is cached only as long as a search: a company may be registered while its owner signs up.
    lifeMs: (profile) => (profile ? PROFILE_LIFE_MS : SEARCH_LIFE_MS),
  });
  const officers = createBoundedCache<Officer[]>(clock, {
    entries: PROFILES_KEPT,
    lifeMs: (found) => (found.length > 0 ? PROFILE_LIFE_MS : SEARCH_LIFE_MS),
  });
  return {
    searchCompanies: async ({ query, limit }) => {
      const q = tidyQuery(query);
      if (q === '') return [];
      const wanted = Math.min(Math.max(Math.trunc(limit), 1), PAGE);
      const found = await searches.through(`${wanted} ${q}`, async () => {
        // With items_per_page=1 the API returns the second hit (Companies House forum t/2077, t/3774), so we request at least two.
        const parameters = new URLSearchParams({ q, items_per_page: String(Math.max(wanted, 2)), start_index: '0' });
        const answer = await http.read('search', `/search/companies?${parameters}`, searchWire);
        return (answer?.items ?? []).slice(0, wanted).map(toSummary);
      });
      return [...found];
    },
    findCompany: async (number) => {
      const parsed = parseCompanyNumber(number);
      if (!parsed.ok) return undefined;
      return profiles.through(parsed.value, async () => {
        const wire = await http.read('profile', `/company/${parsed.value}`, profileWire);
        return wire && toProfile(wire, clock.now());
      });
    },
    listOfficers: async (number) => {
      const parsed = parseCompanyNumber(number);
      if (!parsed.ok) return [];
      const found = await officers.through(parsed.value, async () => {
        const everybody = await readOfficers(http, parsed.value);
        return everybody.filter(({ resigned_on }) => !resigned_on).map(toOfficer);
      });
      return [...found];
    },
  };
}

async function readOfficers(http: CompaniesHouseHttp, number: string): Promise<OfficerWire[]> {
  const everybody: OfficerWire[] = [];
  for (let page = 0; page < OFFICER_PAGES; page += 1) {
    const parameters = new URLSearchParams({ items_per_page: String(PAGE), start_index: String(everybody.length) });
    const answer = await http.read('officers', `/company/${number}/officers?${parameters}`, officersWire);
    if (!answer || answer.items.length === 0) break;
    everybody.push(...answer.items);
    if (everybody.length >= (answer.total_results ?? 0)) break;
  }
  return everybody;
}

/**
 * The search text in the form that is cached and sent. A company number is padded to eight characters, the only form that the API finds.
 */
function tidyQuery(query: string): string {
  const tidy = query.trim().replaceAll(/\s+/g, ' ').slice(0, QUERY_LENGTH).toLowerCase();
  if (!/^[a-z]{0,2}\d{5,8}$/.test(tidy)) return tidy;
  const number = parseCompanyNumber(tidy);
  return number.ok ? number.value : tidy;
}
