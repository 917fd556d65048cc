/**
 * Saves what a user typed into a form in this tab, so that it survives a reload or a log-in. Never stores secrets, codes or bank account
 * numbers.
 */
const PREFIX = 'form-draft:';
const OWNER_KEY = 'form-draft-owner';

export type FormDraft = { readonly name: string; readonly fields: readonly string[] };

type Values = Readonly<Record<string, unknown>>;

/** The typed text, and the saved value it replaces. If the saved value has changed since, the draft is ignored. */
type StoredDraft = Readonly<Record<string, readonly [typed: unknown, saved: unknown]>>;

/** `savedValues` holds the form's initial values. Fields that still have these values aren't stored. */
export function saveDraft({ name, fields }: FormDraft, values: Values, savedValues: Values = {}): void {
  const changedFields = fields.filter((field) => values[field] !== (savedValues[field] ?? ''));
  const storedDraft: StoredDraft = Object.fromEntries(changedFields.map((field) => [field, [values[field], savedValues[field] ?? '']]));
  if (changedFields.length === 0) sessionStorage.removeItem(PREFIX + name);
  else sessionStorage.setItem(PREFIX + name, JSON.stringify(storedDraft));
}

/** Returns {} if there is no draft or it can't be read. */
export function readDraft({ name, fields }: FormDraft, savedValues: Values = {}): Record<string, string> {
  try {
    const storedDraft = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}') as StoredDraft | null;
    const texts: Record<string, string> = {};
    for (const field of fields) {
      const [draftText, savedText] = storedDraft?.[field] ?? [];
      if (typeof draftText === 'string' && savedText === (savedValues[field] ?? '')) texts[field] = draftText;
    }
    return texts;
  } catch {
    return {};
  }
}

export const deleteDraft = ({ name }: FormDraft): void => sessionStorage.removeItem(PREFIX + name);

/** Assigns this tab's drafts to `owner`. Keeps a visitor's drafts; deletes another user's. */
export function claimDrafts(owner: string): void {
  const previousOwner = sessionStorage.getItem(OWNER_KEY);
  if (previousOwner === owner) return;
  if (previousOwner !== null) {
    const names = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? '');
    for (const name of names) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
  sessionStorage.setItem(OWNER_KEY, owner);
}
