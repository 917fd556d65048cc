/** A practice's letter of engagement: its template, with fields in braces, and the frozen letter that a client signs. */

export const LETTER_FIELDS = ['client', 'practice', 'sender', 'date', 'taxes'] as const;
export type LetterField = (typeof LETTER_FIELDS)[number];

/** The hint for each field, shown next to the template. */
export const LETTER_FIELD_HINTS: Readonly<Record<LetterField, string>> = {
  client: 'the client’s name',
  practice: 'your practice’s name',
  sender: 'the name of the person who sends it',
  date: 'the date it’s sent',
  taxes: 'the client’s taxes, for example “VAT and PAYE”',
};

export const MAX_LETTER_TEXT_LENGTH = 40_000;
/** The statement next to the signature, which is part of the signed text. */
export const SIGNING_STATEMENT =
  'I’ve read this letter, agree to it and am authorised to sign it for the client. My typed name is my signature.';

/** `none`: never sent. `superseded`: replaced by a later letter. */
export const LETTER_STATES = ['none', 'unsigned', 'signed', 'superseded'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

const FIELD_PATTERN = /\{([^{}\n]*)\}/g;
const isField = (name: string): name is LetterField => (LETTER_FIELDS as readonly string[]).includes(name);

/** Lists the names in braces that aren't fields, in order and without duplicates. */
export function listUnknownLetterFields(text: string): string[] {
  return [...new Set([...text.matchAll(FIELD_PATTERN)].map(([, name = '']) => name).filter((name) => !isField(name)))];
}

export function fillLetter(template: string, values: Readonly<Record<LetterField, string>>): string {
  return template.replace(FIELD_PATTERN, (whole, name: string) => (isField(name) ? values[name] : whole));
}

export function getLetterState({ signedAt, supersededAt }: { signedAt: string | null; supersededAt: string | null }): LetterState {
  if (supersededAt !== null) return 'superseded';
  return signedAt === null ? 'unsigned' : 'signed';
}

/** Returns true if a typed name counts as a signature: it has at least two parts that contain a letter. */
export function isFullName(name: string): boolean {
  return name.split(/\s+/).filter((part) => /\p{L}/u.test(part)).length >= 2;
}
