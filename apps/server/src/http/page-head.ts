/** The page head for search engines and shared links. */
import { formatPageTitle, type findPage } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';

type FoundPage = NonNullable<ReturnType<typeof findPage>>;
type PageSite = { readonly brand: string; readonly publicUrl: string };

/** Pages that search engines may index. Other public pages (links from emails, steps) are useless out of context. */
const INDEXABLE_PAGES: ReadonlySet<string> = new Set([
  'login',
  'loginV2',
  'vatReturnInfo',
  'help',
  'instantVatHelp',
  'contact',
  'privacy',
  'demo',
]);

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  login: 'Log in to see your VAT returns, refunds and deadlines.',
  vatReturnInfo: 'How we prepare and file your VAT return with HMRC, and pay your refund in as little as 24 hours.',
  help: 'Answers about early VAT refunds, connecting to HMRC, fees and your data.',
  contact: 'How to contact us about your VAT refund.',
  privacy: 'What we store about you and your company, why, and for how long.',
  openTaxLanding:
    'For accounting practices: what every client owes, is owed and must file, for VAT, PAYE, corporation tax and Self Assessment.',
  demo: 'See how InstantVAT works in a demo account with dummy data.',
};
const DESCRIPTION_ALIASES: Readonly<Record<string, string>> = { loginV2: 'login', instantVatHelp: 'help' };

/** Returns whether search engines may index the page. */
export function isIndexable(page: { readonly name: string; readonly kind?: Page['kind'] }): boolean {
  return page.kind === 'landing' || INDEXABLE_PAGES.has(page.name);
}

/** Returns the placeholders of the built pages with their values, not yet escaped. `hasSession`: search engines are never signed in. */
export function renderPageHead(page: FoundPage | undefined, site: PageSite, hasSession: boolean): Readonly<Record<string, string>> {
  const name = page === undefined ? '' : (DESCRIPTION_ALIASES[page.name] ?? page.name);
  const mayIndex = page !== undefined && isIndexable(page);
  const description =
    page?.kind === 'landing' && DESCRIPTIONS[name] === undefined
      ? getPartner(page.partner ?? ORGANIC_PARTNER).copy.description
      : DESCRIPTIONS[name];
  return {
    '%PAGE_TITLE%': page === undefined ? `${site.brand} – Page not found` : formatPageTitle(site.brand, page),
    '%PAGE_DESCRIPTION%': description ?? getPartner(ORGANIC_PARTNER).copy.description,
    // A page behind the login has noindex only for visitors.
    '%PAGE_ROBOTS%': mayIndex || (hasSession && page?.access === 'signed_in') ? 'index, follow' : 'noindex',
    '%PAGE_CANONICAL%': `${site.publicUrl.replace(/\/$/, '')}/portal${page?.name === 'loginV2' ? '/login' : (page?.path ?? '')}`,
  };
}
