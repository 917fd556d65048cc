/**
 * Marketing tags (specification 4, "Tracking tags"): those of the current URL are saved, and links to the app get the saved ones that they lack.
 * Without consent they live as long as the visit (session storage), with it they are remembered (docs/decisions/0015).
 */

export const TAG_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type MarketingTags = Readonly<Partial<Record<(typeof TAG_NAMES)[number], string>>>;

const STORAGE_KEY = 'utm_tags';
/** Longer ones are no campaign's names. */
const LONGEST_TAG = 200;

/** The tags of a query; empty and overlong ones are none. */
export function tagsFrom(search: string): MarketingTags {
  const query = new URLSearchParams(search);
  return pickTags((name) => query.get(name));
}

function pickTags(read: (name: string) => unknown): MarketingTags {
  const found = TAG_NAMES.flatMap((name) => {
    const value = read(name);
    return typeof value === 'string' && value !== '' && value.length <= LONGEST_TAG ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The link with the tags that it lacks, where it leads to the app; as it stands otherwise. `origins`: the app's. */
export function linkWithTags(link: string, tags: MarketingTags, pageUrl: string, origins: readonly string[]): string {
  if (/^(#|mailto:|tel:)/i.test(link)) return link;
  const url = new URL(link, pageUrl);
  if (!origins.includes(url.origin)) return link;
  const lacking = Object.entries(tags).filter(([name]) => !url.searchParams.has(name));
  if (lacking.length === 0) return link;
  // Written behind what is there, so that the link's own query keeps its spelling.
  const [beforeHash = '', ...hash] = link.split('#');
  const own = beforeHash.replace(/[?&]$/, '');
  const more = `${own.includes('?') ? '&' : '?'}${new URLSearchParams(lacking).toString()}`;
  return `${own}${more}${hash.length > 0 ? `#${hash.join('#')}` : ''}`;
}

type Stores = { readonly visit: Storage; readonly kept: Storage };
const stores = (): Stores => ({ visit: sessionStorage, kept: localStorage });

/** Saves the tags of a query, if it has any: they replace the former ones as a whole, being another campaign's. */
export function saveTags(search: string, mayKeep: boolean, { visit, kept } = stores()): void {
  const tags = tagsFrom(search);
  if (Object.keys(tags).length > 0) visit.setItem(STORAGE_KEY, JSON.stringify(tags));
  settleTags(mayKeep, { visit, kept });
}

/** What a new choice means for the saved tags: remembered from now on, or gone with the visit. */
export function settleTags(mayKeep: boolean, { visit, kept } = stores()): void {
  const current = visit.getItem(STORAGE_KEY);
  if (!mayKeep) kept.removeItem(STORAGE_KEY);
  else if (current !== null) kept.setItem(STORAGE_KEY, current);
}

/** The saved tags: of this visit, else the remembered ones. */
export function savedTags({ visit, kept } = stores()): MarketingTags {
  const text = visit.getItem(STORAGE_KEY) ?? kept.getItem(STORAGE_KEY);
  if (text === null) return {};
  const saved: unknown = JSON.parse(text);
  return typeof saved === 'object' && saved !== null ? pickTags((name) => (saved as Record<string, unknown>)[name]) : {};
}

/** Runs a step of the tags; its failure is only logged (specification 8). */
export function withoutFailing(update: () => void): void {
  try {
    update();
  } catch {
    console.error('Error updating UTM parameters');
  }
}
