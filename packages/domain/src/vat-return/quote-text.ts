const LONGEST_SHOWN = 40;

/** A text of a file inside a sentence: in quotes, cut where it is long, its control characters as spaces. */
export function quoteText(text: string): string {
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return `"${cut.replaceAll(/\p{Cc}/gu, ' ')}"`;
}
