const MAX_QUOTED_LENGTH = 40;

/** Formats text from a file for use in a sentence: quoted, shortened if it is long, and with control characters replaced by spaces. */
export function quoteText(text: string): string {
  const shortenedText = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return `“${shortenedText.replaceAll(/\p{Cc}/gu, ' ')}”`;
}
