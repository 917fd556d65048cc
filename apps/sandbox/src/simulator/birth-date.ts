/** Derives an invented person's date of birth from their name, so that independent simulators agree. */
import { createHash } from 'node:crypto';
import { dateFromParts, type PlainDate } from '@portal/domain/plain-date.ts';

/** Accepts a name as spoken ("Tessa Bright") or as registered ("BRIGHT, Tessa Jane"). Titles and middle names are ignored. */
export function getBirthDate(name: string): PlainDate {
  const plain = name.toUpperCase().replace(/^(?:MR|MRS|MS|MISS|MX|DR)\.?\s+/u, '');
  const comma = plain.indexOf(',');
  const words = plain.split(/[^\p{L}]+/u).filter((word) => word !== '');
  const surname =
    comma < 0
      ? words.at(-1)
      : plain
          .slice(0, comma)
          .split(/[^\p{L}]+/u)
          .at(-1);
  const forename =
    comma < 0
      ? words[0]
      : plain
          .slice(comma + 1)
          .trim()
          .split(/[^\p{L}]+/u)[0];
  const bytes = createHash('sha256').update(`${surname} ${forename}`).digest();
  return dateFromParts(1950 + ((bytes[0] ?? 0) % 50), 1 + ((bytes[1] ?? 0) % 12), 1 + ((bytes[2] ?? 0) % 28));
}
