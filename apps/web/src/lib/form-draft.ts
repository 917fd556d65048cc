/**
 * What a person typed into a form, kept in this tab while they look elsewhere, load the page again or log in anew. Never a secret, a code, or
 * the numbers of a bank account.
 */
const PREFIX = 'form-draft:';
const OWNER_KEY = 'form-draft-owner';

export type Draft = { readonly name: string; readonly fields: readonly string[] };

type Values = Readonly<Record<string, unknown>>;

/** What was typed, and what the field held before: where that has changed since, the newer text wins. */
type StoredDraft = Readonly<Record<string, readonly [typed: unknown, saved: unknown]>>;

/** `saved` is what the form began with: a field that says the same again has no draft. */
export function saveDraft({ name, fields }: Draft, values: Values, saved: Values = {}): void {
  const changed = fields.filter((field) => values[field] !== (saved[field] ?? ''));
  const stored: StoredDraft = Object.fromEntries(changed.map((field) => [field, [values[field], saved[field] ?? '']]));
  if (changed.length === 0) sessionStorage.removeItem(PREFIX + name);
  else sessionStorage.setItem(PREFIX + name, JSON.stringify(stored));
}

/** The texts kept for a form's fields; an unreadable draft is none. */
export function readDraft({ name, fields }: Draft, saved: Values = {}): Record<string, string> {
  try {
    const stored = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}') as StoredDraft | null;
    const texts: Record<string, string> = {};
    for (const field of fields) {
      const [typed, before] = stored?.[field] ?? [];
      if (typeof typed === 'string' && before === (saved[field] ?? '')) texts[field] = typed;
    }
    return texts;
  } catch {
    return {};
  }
}

export const deleteDraft = ({ name }: Draft): void => sessionStorage.removeItem(PREFIX + name);

/** The drafts of this tab are `owner`'s from now on: a visitor's come along, another person's go. */
export function claimDrafts(owner: string): void {
  const before = sessionStorage.getItem(OWNER_KEY);
  if (before === owner) return;
  if (before !== null) {
    const names = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? '');
    for (const name of names) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
  sessionStorage.setItem(OWNER_KEY, owner);
}
