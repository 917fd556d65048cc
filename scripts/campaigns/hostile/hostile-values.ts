/** Values that break software: wrong types, sizes, Unicode, dates, numbers, prototype keys, line breaks, paths, code in other languages. */
import { randomUUID } from 'node:crypto';
import { pick, type RandomSource } from '../../chaos/random.ts';

/** JSON text that JSON.stringify can't write. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes JSON that includes the raw text of hostile values. */
export function writeJson(value: unknown): string {
  const rawTexts: string[] = [];
  const text = JSON.stringify(value, (_name, member: unknown) =>
    member instanceof RawJson ? `\u{E000}${rawTexts.push(member.text) - 1}\u{E000}` : member,
  );
  return text.replaceAll(/"\u{E000}(\d+)\u{E000}"/gu, (_placeholder, index: string) => rawTexts[Number(index)] ?? 'null');
}

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n',
  'a'.repeat(300),
  'ä'.repeat(5_000),
  'x'.repeat(100_000),
  '\0',
  'a\0b',
  '\u{d800}',
  'ends with half \u{dbff}',
  '\u202Egnp.exe',
  '\uFEFFmark',
  '\u200B',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  'ﷺ'.repeat(160),
  'İ',
  '١٢٣٤٥٦',
  '１２３４５６７８',
  "'; drop table users; --",
  "' or '1'='1",
  '\\',
  '%',
  '_%_%',
  '"',
  '$1',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)',
  'name\r\nSet-Cookie: portal_session=x',
  'name\r\nBcc: everyone@victim.example',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd%00.csv',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '//evil.example/portal',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '[object Object]',
  '0x1F',
  '1e3',
  '-0',
  '١',
  `(${'a'.repeat(30)}+)+$`,
  `${'a'.repeat(50_000)}!`,
  `${'a@'.repeat(5_000)}`,
  `"${' '.repeat(20_000)}"@x.example`,
];

const DATES: readonly string[] = [
  '2026-02-30',
  '2026-02-29',
  '2025-13-01',
  '2026-00-10',
  '2026-10-25T01:30:00+01:00',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '-000001-01-01',
  '+275760-09-13',
  '+275760-09-13T00:00:00.001Z',
  '1752-09-10',
  '2026-3-7',
  '07/03/2026',
  '2026-03-07T25:61:61Z',
  '2026-12-31T23:59:60Z',
  '20260307',
  '2026-W10-1',
  '1900-01-01T00:00:00.000Z',
];

const NUMBERS: readonly (number | RawJson | string)[] = [
  -1,
  0,
  1,
  0.1,
  1.5,
  -2_147_483_649,
  2_147_483_648,
  4_294_967_296,
  9_007_199_254_740_991,
  -9_007_199_254_740_991,
  new RawJson('9007199254740993'),
  new RawJson('9223372036854775808'),
  new RawJson('1e400'),
  new RawJson('-1e400'),
  new RawJson('-0'),
  new RawJson('1e-400'),
  new RawJson('123456789012345678901234567890'),
  1e21,
  '12',
  '1,000',
];

const HOSTILE_IDS: readonly string[] = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'not-an-id',
  '{5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d11}',
  '5b0c1f6e3f0a4b7e9c550f2d7f6a9d11',
  '5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d1',
  "5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d11' or true --",
];

const SHAPES: readonly unknown[] = [
  null,
  true,
  false,
  {},
  [],
  [null],
  [[[[]]]],
  { length: 1e9 },
  { toString: 'x', valueOf: 'y' },
  new RawJson('{"__proto__":{"admin":true,"company_id":"x"}}'),
  new RawJson('{"constructor":{"prototype":{"admin":true}}}'),
  new RawJson(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  new RawJson(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`),
  Array.from({ length: 3_000 }, () => 'x'),
];

const ID = /^[\da-f]{8}-/i;
const DATE_PATTERN = /^\d{4}-\d\d-\d\d/;

/** Returns a hostile value to replace this one. Most have the same type, because those get furthest. */
export function pickHostileValue(random: RandomSource, valid: unknown): unknown {
  if (random() < 0.2) return pick(random, SHAPES);
  if (typeof valid === 'number') return random() < 0.85 ? pick(random, NUMBERS) : pick(random, TEXTS);
  if (typeof valid === 'boolean') return pick(random, ['true', 1, 0, 'yes', null, !valid]);
  if (typeof valid === 'object' && valid !== null) return changeInside(random, valid);
  const text = typeof valid === 'string' ? valid : '';
  if (ID.test(text) && random() < 0.7)
    return random() < 0.3 ? randomUUID() : pick(random, [...HOSTILE_IDS, text.toUpperCase(), ` ${text}`]);
  // The text may be a number in a URL.
  if (/^\d{1,9}$/.test(text) && random() < 0.6) return pick(random, NUMBERS);
  const cursor = readCursor(text);
  if (cursor !== undefined && random() < 0.8) return Buffer.from(writeJson(changeInside(random, cursor))).toString('base64url');
  if (DATE_PATTERN.test(text) && random() < 0.7) return pick(random, DATES);
  if (random() < 0.25)
    return pick(random, [`${text} `, ` ${text}`, text.toUpperCase(), `${text}\n`, `${text}\0`, text.slice(0, -1), text.repeat(50)]);
  return random() < 0.12 ? pick(random, NUMBERS) : pick(random, TEXTS);
}

/** Cursors are JSON in base64url, so anyone who reads our responses can decode them. */
function readCursor(text: string): object | undefined {
  if (!text.startsWith('eyJ') && !text.startsWith('Wy')) return undefined;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as object;
  } catch {
    return undefined;
  }
}

/** Changes one property of an object, one item of a list, or the list's length. */
function changeInside(random: RandomSource, valid: object): unknown {
  if (Array.isArray(valid)) {
    const items = valid as unknown[];
    if (items.length === 0 || random() < 0.4)
      return pick(random, [[], [...items, ...items], Array.from({ length: 2_000 }, () => items[0] ?? 'x'), [null], [...items, {}]]);
    const place = Math.floor(random() * items.length);
    return items.map((item, index) => (index === place ? pickHostileValue(random, item) : item));
  }
  const names = Object.keys(valid);
  if (names.length === 0 || random() < 0.15) return { ...valid, unknown_field: 'x' };
  const name = pick(random, names);
  return { ...valid, [name]: pickHostileValue(random, (valid as Record<string, unknown>)[name]) };
}
