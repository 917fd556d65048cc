/**
 * Marketing tags (specification 4, "Tracking tags"): those of the current URL are saved, and links to the app get the saved ones that they lack.
 * Without consent they live as long as the visit (session storage), with it they are remembered (docs/decisions/0015).
 */

export const TAG_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type MarketingTags = Readonly<Partial<Record<(typeof TAG_NAMES)[number], string>>>;

const STORAGE_KEY = 'utm_tags';
/** Longer ones are no campaign's names. */
const MAX_TAG_LENGTH = 200;

/** The tags of a query; empty and overlong ones are none. */
export function parseTags(search: string): MarketingTags {
  const query = new URLSearchParams(search);
  return pickTags((name) => query.get(name));
}

function pickTags(read: (name: string) => unknown): MarketingTags {
  const found = TAG_NAMES.flatMap((name) => {
    const value = read(name);
    return typeof value === 'string' && value !== '' && value.length <= MAX_TAG_LENGTH ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The link with the tags that it lacks, where it leads to the app; as it stands otherwise. `origins`: the app's. */
export function linkWithTags(link: string, tags: MarketingTags, pageUrl: string, origins: readonly string[]): string {
  if (/^(#|mailto:|tel:)/i.test(link)) return link;
  const url = new URL(link, pageUrl);
  if (!origins.includes(url.origin)) return link;
  const missingTags = Object.entries(tags).filter(([name]) => !url.searchParams.has(name));
  if (missingTags.length === 0) return link;
  // Written behind what is there, so that the link's own query keeps its spelling.
  const [beforeHash = '', ...hash] = link.split('#');
  const own = beforeHash.replace(/[?&]$/, '');
  const more = `${own.includes('?') ? '&' : '?'}${new URLSearchParams(missingTags).toString()}`;
  return `${own}${more}${hash.length > 0 ? `#${hash.join('#')}` : ''}`;
}

type TagStores = { readonly visit: Storage; readonly persistent: Storage };
const getTagStores = (): TagStores => ({ visit: sessionStorage, persistent: localStorage });

/** Saves the tags of a query, if it has any: they replace the former ones as a whole, being another campaign's. */
export function saveTags(search: string, hasConsent: boolean, { visit, persistent } = getTagStores()): void {
  const tags = parseTags(search);
  if (Object.keys(tags).length > 0) visit.setItem(STORAGE_KEY, JSON.stringify(tags));
  applyTagConsent(hasConsent, { visit, persistent });
}

/** What a new choice means for the saved tags: remembered from now on, or gone with the visit. */
export function applyTagConsent(hasConsent: boolean, { visit, persistent } = getTagStores()): void {
  const current = visit.getItem(STORAGE_KEY);
  if (!hasConsent) persistent.removeItem(STORAGE_KEY);
  else if (current !== null) persistent.setItem(STORAGE_KEY, current);
}

/** The saved tags: of this visit, else the remembered ones. */
export function getSavedTags({ visit, persistent } = getTagStores()): MarketingTags {
  const text = visit.getItem(STORAGE_KEY) ?? persistent.getItem(STORAGE_KEY);
  if (text === null) return {};
  const saved: unknown = JSON.parse(text);
  return typeof saved === 'object' && saved !== null ? pickTags((name) => (saved as Record<string, unknown>)[name]) : {};
}

/** Runs a step of the tags; its failure is only logged (specification 8). */
export function logFailure(update: () => void): void {
  try {
    update();
  } catch {
    console.error('Error updating UTM parameters');
  }
}
