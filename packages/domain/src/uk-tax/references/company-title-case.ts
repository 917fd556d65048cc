/** Words that stay in capitals: legal forms, countries and abbreviations common in company names. */
const ACRONYMS = new Set(
  'PLC LLP LP CIC CIO UK GB EU USA UAE NHS BBC ITV CCTV HVAC HGV LED TV DJ PR HR ICT AI PPE NI VAT MOT ATM GPS FX II III IV VI VII VIII IX'.split(
    ' ',
  ),
);
/** Abbreviations without vowels that are written as words. */
const ABBREVIATIONS = new Set('LTD MR MRS DR ST SR JR CYF'.split(' '));
const SMALL_WORDS = new Set('a an and as at by for from in of on or the to upon with'.split(' '));
const DOMAIN_ENDINGS = new Set('com co uk org net io'.split(' '));
/** Words after IT which show that it means information technology. */
const AFTER_IT_PATTERN =
  /^\W+(?:AND|&|CONSULT\w*|GROUP|LTD|LIMITED|MANAGEMENT|RECRUITMENT|SECURITY|SERVICES|SOLUTIONS|SUPPORT|SYSTEMS|TRAINING)\b/;

/**
 * Returns a company's name as people write it: "BRIGHTWELL EXPORTS (UK) LTD" becomes "Brightwell Exports (UK) Ltd". Companies House sends
 * names in capitals only. A name that contains a small letter is returned unchanged, because someone has chosen its spelling.
 */
export function toCompanyTitleCase(name: string): string {
  if (/\p{Ll}/u.test(name)) return name;
  return name.replaceAll(/[\p{L}\p{N}&'’]+/gu, (word, at: number) =>
    toTitleCaseWord(word, name.slice(0, at), name.slice(at + word.length)),
  );
}

function toTitleCaseWord(word: string, before: string, after: string): string {
  const small = word.toLowerCase();
  if (before.endsWith('.') && /[\p{L}\p{N}]\.$/u.test(before) && DOMAIN_ENDINGS.has(small)) return small;
  if (SMALL_WORDS.has(small) && before !== '' && !isInitial(word, before, after)) return small;
  if (word === 'IT') return AFTER_IT_PATTERN.test(after) ? word : 'It';
  if (ACRONYMS.has(word) || isUnpronounceable(word)) return word;
  if (/^\d+(?:ST|ND|RD|TH)$/.test(word)) return small;
  if (/\d/.test(word)) return word;
  if (word.includes('&'))
    return word
      .split('&')
      .map((part) => (part.length <= 2 ? part : capitaliseName(part)))
      .join('&');
  return capitaliseName(word);
}

/** Returns true for "A" between initials or beside a full stop, as in "J A SMITH". */
function isInitial(word: string, before: string, after: string): boolean {
  return word === 'A' && (after.startsWith('.') || /(?:^|[\s.])\p{L}[\s.]$/u.test(before) || /^\s\p{L}(?:[\s.]|$)/u.test(after));
}

/** Treats two to four letters without a vowel as an abbreviation: "JCB", "HSBC". */
function isUnpronounceable(word: string): boolean {
  return /^[B-DF-HJ-NP-TV-XZ]{2,4}$/.test(word) && !ABBREVIATIONS.has(word);
}

/** Returns a name in capitals as people write it: "O'NEILL" becomes "O'Neill". */
export function capitaliseName(word: string): string {
  const [first = '', ...otherParts] = word.split(/(?=['’])/);
  return [
    toNamePart(first),
    ...otherParts.map((part) => (isElided(first) && part.length > 2 ? part[0] + toNamePart(part.slice(1)) : part.toLowerCase())),
  ].join('');
}

/** O'Neill, D'Arcy, L'Oréal; but "Joe's". */
const isElided = (text: string): boolean => /^[ODL]$/.test(text);

/** Handles "McDonald", but not "MacDonald", because Mac also begins words such as "machine". */
function toNamePart(part: string): string {
  if (/^MC\p{L}{3,}$/u.test(part)) return `Mc${toNamePart(part.slice(2))}`;
  return part.charAt(0) + part.slice(1).toLowerCase();
}
