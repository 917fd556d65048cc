import { capitaliseName } from './company-title-case.ts';

/**
 * Returns a person's name at Companies House as people write it: "BRIGHT, Owen James" and "Owen James BRIGHT" become "Owen James Bright".
 * The register has surnames in capitals.
 */
export function toPersonName(registerName: string): string {
  const [surname = '', ...otherParts] = registerName.split(', ');
  const ordered = otherParts.length === 0 ? registerName : [...otherParts, surname].join(' ');
  return ordered.replaceAll(/[\p{L}'’]{2,}/gu, (word) => (/\p{Ll}/u.test(word) ? word : capitaliseName(word)));
}
