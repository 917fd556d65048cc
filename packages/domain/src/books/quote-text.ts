const MAX_QUOTED_LENGTH = 40;

/** File text for use in a sentence: quoted, shortened if long, with control characters replaced by spaces. */
export function quoteText(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return `“${cut.replaceAll(/\p{Cc}/gu, ' ')}”`;
}
