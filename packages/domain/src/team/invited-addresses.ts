/** Parses the email addresses in a pasted list of colleagues. */
import { createRejection, type Parsed, parsed } from '../parsed.ts';

export const MAX_INVITATIONS = 100;

const EMAIL_PATTERN = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\]+$/;

/**
 * Parses email addresses separated by commas, semicolons, spaces or lines, including as pasted from an email client: `Ann Lee
 * <ann@lee.example>`. Returns them in lower case, without duplicates. Reports the first part that isn't an email address.
 */
export function parseInvitedAddresses(text: string): Parsed<readonly string[]> {
  const addresses = new Set<string>();
  for (const part of splitParts(text)) {
    const address = part.toLowerCase();
    if (!EMAIL_PATTERN.test(address) || address.length > 254)
      return createRejection(`“${part.slice(0, 60)}” isn’t an email address. Correct or remove it.`);
    addresses.add(address);
  }
  if (addresses.size === 0) return createRejection('Enter an email address.');
  if (addresses.size > MAX_INVITATIONS) return createRejection(`Invite at most ${MAX_INVITATIONS} people at once.`);
  return parsed([...addresses]);
}

/** The email address is the text in angle brackets; the name before it is dropped. */
function splitParts(text: string): string[] {
  // A quoted name can contain a comma.
  return text
    .replaceAll(/"[^"]*"/g, ' ')
    .split(/[,;\n\r]+/)
    .flatMap((entry) => {
      const bracketedAddresses = [...entry.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address.trim());
      return bracketedAddresses.length > 0 ? bracketedAddresses : entry.split(/\s+/);
    })
    .filter((part) => part !== '');
}
