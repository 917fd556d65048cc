/**
 * Marketing tags (docs/product/specification.md section 4, "Tracking tags"). Saves the tags in the URL and adds them to links to the app.
 * Stores them in session storage for the visit and, with consent, also in local storage (docs/decisions/0015).
 */

export const TAG_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type MarketingTags = Readonly<Partial<Record<(typeof TAG_NAMES)[number], string>>>;

const STORAGE_KEY = 'utm_tags';
/** Longer values are not campaign names. */
const MAX_TAG_LENGTH = 200;

/** Ignores empty and overlong values. */
export function parseTags(search: string): MarketingTags {
  const query = new URLSearchParams(search);
  return pickTags((name) => query.get(name));
}

function pickTags(read: (name: string) => unknown): MarketingTags {
  const foundTags = TAG_NAMES.flatMap((name) => {
    const value = read(name);
    return typeof value === 'string' && value !== '' && value.length <= MAX_TAG_LENGTH ? [[name, value] as const] : [];
  });
  return Object.fromEntries(foundTags);
}

/** Adds the missing tags to a link whose origin is one of `origins`. */
export function addTagsToLink(link: string, tags: MarketingTags, pageUrl: string, origins: readonly string[]): string {
  if (/^(#|mailto:|tel:)/i.test(link)) return link;
  const url = new URL(link, pageUrl);
  if (!origins.includes(url.origin)) return link;
  const missingTags = Object.entries(tags).filter(([name]) => !url.searchParams.has(name));
  if (missingTags.length === 0) return link;
  // Append as text, so that the link's own query isn't re-encoded.
  const [beforeHash = '', ...hash] = link.split('#');
  const ownPart = beforeHash.replace(/[?&]$/, '');
  const addedQuery = `${ownPart.includes('?') ? '&' : '?'}${new URLSearchParams(missingTags).toString()}`;
  return `${ownPart}${addedQuery}${hash.length > 0 ? `#${hash.join('#')}` : ''}`;
}

type TagStores = { readonly visit: Storage; readonly persistent: Storage };
const getTagStores = (): TagStores => ({ visit: sessionStorage, persistent: localStorage });

/** New tags replace all saved ones, because they belong to a different campaign. */
export function saveTags(search: string, hasConsent: boolean, { visit, persistent } = getTagStores()): void {
  const tags = parseTags(search);
  if (Object.keys(tags).length > 0) visit.setItem(STORAGE_KEY, JSON.stringify(tags));
  applyTagConsent(hasConsent, { visit, persistent });
}

/** Applies the visitor's consent: with it, the tags are stored beyond the visit; without it, stored tags are deleted. */
export function applyTagConsent(hasConsent: boolean, { visit, persistent } = getTagStores()): void {
  const current = visit.getItem(STORAGE_KEY);
  if (!hasConsent) persistent.removeItem(STORAGE_KEY);
  else if (current !== null) persistent.setItem(STORAGE_KEY, current);
}

/** Returns the tags of this visit, otherwise those stored with consent. */
export function getSavedTags({ visit, persistent } = getTagStores()): MarketingTags {
  const storedTouches = visit.getItem(STORAGE_KEY) ?? persistent.getItem(STORAGE_KEY);
  if (storedTouches === null) return {};
  const savedTags: unknown = JSON.parse(storedTouches);
  return typeof savedTags === 'object' && savedTags !== null ? pickTags((name) => (savedTags as Record<string, unknown>)[name]) : {};
}

/** Tracking must not break the page, so failures are only logged (docs/product/specification.md section 8). */
export function logFailure(update: () => void): void {
  try {
    update();
  } catch {
    console.error('Error updating UTM parameters');
  }
}
