/** Derives an invented person's date of birth from their name, so that independent simulators agree. */
import { createHash } from 'node:crypto';
import { createPlainDate, type PlainDate } from '@portal/domain/plain-date.ts';

/** Accepts a name as spoken ("Tessa Bright") or as registered ("BRIGHT, Tessa Jane"). Titles and middle names are ignored. */
export function getBirthDate(name: string): PlainDate {
  const plainName = name.toUpperCase().replace(/^(?:MR|MRS|MS|MISS|MX|DR)\.?\s+/u, '');
  const comma = plainName.indexOf(',');
  const words = plainName.split(/[^\p{L}]+/u).filter((word) => word !== '');
  const surname =
    comma < 0
      ? words.at(-1)
      : plainName
          .slice(0, comma)
          .split(/[^\p{L}]+/u)
          .at(-1);
  const forename =
    comma < 0
      ? words[0]
      : plainName
          .slice(comma + 1)
          .trim()
          .split(/[^\p{L}]+/u)[0];
  const bytes = createHash('sha256').update(`${surname} ${forename}`).digest();
  return createPlainDate(1950 + ((bytes[0] ?? 0) % 50), 1 + ((bytes[1] ?? 0) % 12), 1 + ((bytes[2] ?? 0) % 28));
}
