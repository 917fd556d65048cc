/** The sections of a client's page. The URL contains the open section, so that it can be shared. */
import { TAXES, TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { getPageLink } from '../../lib/page-link.ts';
import type { ClientIds, ClientProfile } from './client-page.ts';

export const CLIENT_TABS = ['overview', ...TAXES, 'papers', 'notes', 'authorisation', 'people'] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

const LABELS: Readonly<Record<ClientTab, string>> = {
  overview: 'Overview',
  ...TAX_NAMES,
  papers: 'Documents',
  notes: 'Notes',
  authorisation: 'Authorisation',
  people: 'People',
};

const isTax = (tab: ClientTab): tab is Tax => (TAXES as readonly string[]).includes(tab);

type SectionFacts = Pick<ClientProfile, 'taxes' | 'vat_group'>;

/** Lists a client's sections, including one for each of its taxes, and for VAT that another client or company represents it for. */
export function listClientTabs({ taxes, vat_group: group }: SectionFacts): { readonly tab: ClientTab; readonly label: string }[] {
  const hasSection = (tax: Tax): boolean => taxes.includes(tax) || (tax === 'vat' && group !== null);
  return CLIENT_TABS.filter((tab) => !isTax(tab) || hasSection(tab)).map((tab) => ({ tab, label: LABELS[tab] }));
}

/** Parses the section in a URL. Unknown text, or a tax that the client doesn't have, opens the overview. */
export function parseClientTab(text: string | null, client: SectionFacts): ClientTab {
  return listClientTabs(client).find(({ tab }) => tab === text)?.tab ?? 'overview';
}

export function getTabLink({ companyId, clientId }: ClientIds, tab: ClientTab): string {
  return getPageLink('clientDashboard', { company_id: companyId, client_id: clientId, ...(tab === 'overview' ? {} : { tab }) });
}

/** Returns the element id of a tax's charges and payments within its section. */
export const getChargesId = (tax: Tax): string => `charges-${tax}`;

/** The element id of the cards with each tax's amounts. */
export const TAX_CARDS_ID = 'amounts';

/** Links to the breakdown of a client's amounts: the cards of all its taxes, or the section of its only tax. */
export function getAmountsLink(ids: ClientIds, taxes: readonly Tax[]): string {
  const [onlyTax, ...otherTaxes] = taxes;
  return onlyTax === undefined || otherTaxes.length > 0 ? `${getTabLink(ids, 'overview')}#${TAX_CARDS_ID}` : getTabLink(ids, onlyTax);
}
