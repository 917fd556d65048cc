const LONGEST_SHOWN = 40;

/** A text of a file inside a sentence: in quotes, cut where it is long, its control characters as spaces. */
export function quoteText(text: string): string {
  const clean = text.replaceAll(/\p{Cc}/gu, ' ');
  return `"${clean.length > LONGEST_SHOWN ? `${clean.slice(0, LONGEST_SHOWN)}…` : clean}"`;
}
