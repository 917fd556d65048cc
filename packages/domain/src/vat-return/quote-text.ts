const LONGEST_SHOWN = 40;

/** File text for use in a sentence: quoted, shortened if long, with control characters replaced by spaces. */
export function quoteText(text: string): string {
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return `"${cut.replaceAll(/\p{Cc}/gu, ' ')}"`;
}
