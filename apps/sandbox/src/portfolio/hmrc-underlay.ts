/** The loaded portfolio as HMRC records; each part is generated on request. */
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import type { Underlay } from '../simulator/overlay.ts';
import { invitationsOf, relationshipsOf } from './authorities.ts';
import type { IncomeTaxRecord } from '../hmrc-agent/agent-records.ts';
import { makeIncomeTaxBooks } from './income-tax-books.ts';
import { loadedPortfolio } from './loaded-portfolio.ts';
import { OAKLINE } from './oakline.ts';
import type { Portfolio, PortfolioClient } from './portfolio-client.ts';
import { makeVatBooks, type VatBooks } from './vat-books.ts';

type Lists = 'obligations' | 'returns' | 'charges' | 'payments' | 'repayments';

/** Calls for a client follow one another, so the records of the last few clients are cached. */
const BOOKS_KEPT = 32;

export function openHmrcUnderlay(store: SimulatorStore) {
  const vatBooks = keepLast(BOOKS_KEPT, (portfolio: Portfolio, vrn: string): VatBooks | undefined => {
    const client = portfolio.byVrn.get(vrn);
    return client && makeVatBooks(client, portfolio.today);
  });
  const incomeTaxBooks = keepLast(BOOKS_KEPT, (portfolio: Portfolio, nino: string): IncomeTaxRecord | undefined => {
    const client = portfolio.byNino.get(nino);
    return client && makeIncomeTaxBooks(client, portfolio.today);
  });
  const authorities = keepLast(1, (portfolio: Portfolio) => ({
    relationships: relationshipsOf(portfolio),
    invitations: invitationsOf(portfolio),
  }));
  const loaded = () => loadedPortfolio(store);
  const getOnly =
    <Document>(find: (portfolio: Portfolio, key: string) => Document | undefined) =>
    (): Underlay<Document> | undefined => {
      const portfolio = loaded();
      return portfolio && { get: (key) => find(portfolio, key) };
    };
  return {
    trader: getOnly((portfolio, vrn) => vatBooks(portfolio, vrn)?.trader),
    penalties: getOnly((portfolio, vrn) => vatBooks(portfolio, vrn)?.penalties),
    incomeTax: getOnly((portfolio, nino) => incomeTaxBooks(portfolio, nino)),
    user: getOnly((portfolio, userId) => userOf(portfolio, userId)),
    list:
      <List extends Lists>(list: List, vrn: string) =>
      (): Underlay<VatBooks[List] extends ReadonlyMap<string, infer Document> ? Document : never> | undefined => {
        const portfolio = loaded();
        const books = portfolio && vatBooks(portfolio, vrn);
        if (!books) return undefined;
        const found = books[list] as ReadonlyMap<string, VatBooks[List] extends ReadonlyMap<string, infer Document> ? Document : never>;
        return { get: (key) => found.get(key), list: () => found };
      },
    relationships: (arn: string) => () => {
      const portfolio = arn === OAKLINE.arn ? loaded() : undefined;
      if (!portfolio) return undefined;
      const { relationships } = authorities(portfolio, arn);
      return { get: (key: string) => relationships.get(key), list: () => relationships };
    },
    invitations: (arn: string) => () => {
      const portfolio = arn === OAKLINE.arn ? loaded() : undefined;
      if (!portfolio) return undefined;
      const { invitations } = authorities(portfolio, arn);
      return { get: (key: string) => invitations.get(key), list: () => invitations };
    },
  };
}

/** HMRC user ID of a portfolio client: "client-OAK00042". */
export function clientUserId(client: PortfolioClient): string {
  return `client-${client.code}`;
}

function userOf(portfolio: Portfolio, userId: string) {
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
function keepLast<Result>(count: number, make: (portfolio: Portfolio, key: string) => Result) {
  const kept = new Map<string, Result>();
  let of: Portfolio | undefined;
  return (portfolio: Portfolio, key: string): Result => {
    if (of !== portfolio) kept.clear();
    of = portfolio;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(portfolio, key);
    kept.set(key, made);
    const oldest = kept.size > count ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return made;
  };
}
