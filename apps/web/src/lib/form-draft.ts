/** What a person typed into a form, kept in this tab while they look elsewhere, load the page again or log in anew. Never a secret, never bank details. */
const PREFIX = 'form-draft:';

export type Draft = { readonly name: string; readonly fields: readonly string[] };

export function keepDraft({ name, fields }: Draft, values: Readonly<Record<string, unknown>>): void {
  const typed = Object.fromEntries(fields.map((field) => [field, values[field]]));
  sessionStorage.setItem(PREFIX + name, JSON.stringify(typed));
}

/** The texts kept for a form's fields; an unreadable draft is none. */
export function readDraft({ name, fields }: Draft): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}');
    const entries = Object.entries(kept ?? {}).filter(([field, value]) => fields.includes(field) && typeof value === 'string');
    return Object.fromEntries(entries) as Record<string, string>;
  } catch {
    return {};
  }
}

export const dropDraft = ({ name }: Draft): void => sessionStorage.removeItem(PREFIX + name);
