/** Presents the loaded portfolio as HMRC's records, each part generated on request. */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import type { Underlay } from '../simulator/overlay.ts';
import { listInvitations, listRelationships } from './authorities.ts';
import type { IncomeTaxRecord } from '../hmrc-agent/agent-records.ts';
import { generateIncomeTaxRecord } from './income-tax-books.ts';
import { findLoadedPortfolio } from './loaded-portfolio.ts';
import { OAKLINE } from './oakline.ts';
import type { Portfolio, PortfolioClient } from './portfolio-client.ts';
import { generateVatRecords, type VatRecords } from './vat-books.ts';

type ListName = 'obligations' | 'returns' | 'charges' | 'payments' | 'repayments';

/** Calls for the same client tend to come in succession, so the records of the last few clients are cached. */
const MAX_CACHED_RECORDS = 32;

export function openHmrcUnderlay(store: SimulatorStore) {
  const vatBooks = cacheRecent(MAX_CACHED_RECORDS, (portfolio: Portfolio, vrn: string): VatRecords | undefined => {
    const client = portfolio.byVrn.get(vrn);
    return client && generateVatRecords(client, portfolio.today);
  });
  const incomeTaxBooks = cacheRecent(MAX_CACHED_RECORDS, (portfolio: Portfolio, nino: string): IncomeTaxRecord | undefined => {
    const client = portfolio.byNino.get(nino);
    return client && generateIncomeTaxRecord(client, portfolio.today);
  });
  const authorities = cacheRecent(1, (portfolio: Portfolio) => ({
    relationships: listRelationships(portfolio),
    invitations: listInvitations(portfolio),
  }));
  const findPortfolio = () => findLoadedPortfolio(store);
  const getOnly =
    <Document>(find: (portfolio: Portfolio, key: string) => Document | undefined) =>
    (): Underlay<Document> | undefined => {
      const portfolio = findPortfolio();
      return portfolio && { get: (key) => find(portfolio, key) };
    };
  return {
    trader: getOnly((portfolio, vrn) => vatBooks(portfolio, vrn)?.trader),
    penalties: getOnly((portfolio, vrn) => vatBooks(portfolio, vrn)?.penalties),
    incomeTax: getOnly((portfolio, nino) => incomeTaxBooks(portfolio, nino)),
    user: getOnly((portfolio, userId) => findUser(portfolio, userId)),
    list:
      <List extends ListName>(list: List, vrn: string) =>
      (): Underlay<VatRecords[List] extends ReadonlyMap<string, infer Document> ? Document : never> | undefined => {
        const portfolio = findPortfolio();
        const books = portfolio && vatBooks(portfolio, vrn);
        if (!books) return undefined;
        const recordsByKey = books[list] as ReadonlyMap<
          string,
          VatRecords[List] extends ReadonlyMap<string, infer Document> ? Document : never
        >;
        return { get: (key) => recordsByKey.get(key), list: () => recordsByKey };
      },
    relationships: (arn: string) => () => {
      const portfolio = arn === OAKLINE.arn ? findPortfolio() : undefined;
      if (!portfolio) return undefined;
      const { relationships } = authorities(portfolio, arn);
      return { get: (key: string) => relationships.get(key), list: () => relationships };
    },
    invitations: (arn: string) => () => {
      const portfolio = arn === OAKLINE.arn ? findPortfolio() : undefined;
      if (!portfolio) return undefined;
      const { invitations } = authorities(portfolio, arn);
      return { get: (key: string) => invitations.get(key), list: () => invitations };
    },
  };
}

/** Returns the HMRC user ID of a portfolio client: "client-OAK00042". */
export function getClientUserId(client: PortfolioClient): string {
  return `client-${client.code}`;
}

function findUser(portfolio: Portfolio, userId: string) {
  const index = /^client-OAK(\d{5,6})$/.exec(userId)?.[1];
  const client = index === undefined ? undefined : portfolio.list[Number(index) - 1];
  if (!client) return undefined;
  const isPerson = client.nino !== undefined;
  const business = client.selfAssessment?.business;
  return {
    userId,
    password: OAKLINE.hmrcPassword,
    kind: isPerson ? ('individual' as const) : ('organisation' as const),
    fullName: client.name,
    emailAddress: client.email,
    services: [...(client.vat ? ['mtd-vat'] : []), ...(business ? ['mtd-income-tax'] : [])],
    ...(client.vat ? { vrn: client.vat.vrn } : {}),
    identifiers: { ...(client.nino === undefined ? {} : { nino: client.nino }), ...(business ? { mtdItId: business.mtdItId } : {}) },
  };
}

/** Caches the last few results of a pure function of portfolio and key. */
function cacheRecent<Result>(count: number, createResult: (portfolio: Portfolio, key: string) => Result) {
  const cachedResults = new Map<string, Result>();
  let cachedPortfolio: Portfolio | undefined;
  return (portfolio: Portfolio, key: string): Result => {
    if (cachedPortfolio !== portfolio) cachedResults.clear();
    cachedPortfolio = portfolio;
    const cachedResult = cachedResults.get(key);
    if (cachedResult !== undefined) return cachedResult;
    const createdResult = createResult(portfolio, key);
    cachedResults.set(key, createdResult);
    const oldestKey = cachedResults.size > count ? cachedResults.keys().next().value : undefined;
    if (oldestKey !== undefined) cachedResults.delete(oldestKey);
    return createdResult;
  };
}
