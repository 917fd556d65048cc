import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMatchedField, parseClientSearch, SEARCHABLE_FIELDS, toSearchText, type SearchableClient } from './search-text.ts';

const NO_DETAILS = Object.fromEntries(SEARCHABLE_FIELDS.map((field) => [field, null])) as Omit<SearchableClient, 'name'>;

const HARLOW: SearchableClient = {
  name: 'O’Brien & Söhne (Harlow) Ltd.',
  client_code: 'HAR-001',
  vrn: '123456789',
  vat_group_vrn: '555666777',
  utr: '1234567890',
  company_number: 'SC123456',
  nino: 'AB123456C',
  paye_reference: '123/AB456',
  accounts_office_reference: '123PA00012345',
  postcode: 'LS1 4DY',
  email: 'jo.harlow@obrien-sons.co.uk',
  phone: '+44 (0)7700 900123',
};

/** Imitates PostgreSQL's search: the stored text contains every word of at least one alternative. */
function isFound(q: string, client: SearchableClient): boolean {
  const searchText = toSearchText(client);
  return parseClientSearch(q).some((words) => words.every((word) => searchText.includes(word)));
}

describe('a client is found', () => {
  it.each([
    ['by its name with a straight apostrophe', "o'brien", null],
    ['without the apostrophe', 'OBRIEN', null],
    ['with a space for the apostrophe', 'o brien', null],
    ['with “and” for “&”', 'obrien and sohne', null],
    ['with “&” for “&”', 'O’Brien & Söhne', null],
    ['without “and”', 'brien söhne', null],
    ['with its words in another order', 'ltd harlow sohne', null],
    ['by its VAT number', '123456789', 'vrn'],
    ['by its VAT number with country and spaces', 'GB 123 4567 89', 'vrn'],
    ['by its VAT number with hyphens', '123-4567-89', 'vrn'],
    ['by the number of its VAT group', 'GB 555 6667 77', 'vat_group_vrn'],
    ['by its UTR in groups', '12345 67890', 'utr'],
    ['by its UTR with the K of a payment reference', '1234567890K', 'utr'],
    ['by its company number in lower case', 'sc 123456', 'company_number'],
    ['by its National Insurance number in pairs', 'ab 12 34 56 c', 'nino'],
    ['by its National Insurance number without the suffix', 'AB 12 34 56', 'nino'],
    ['by its PAYE reference', '123/AB456', 'paye_reference'],
    ['by its PAYE reference with spaces', '123 / AB 456', 'paye_reference'],
    ['by its Accounts Office reference', '123 PA 0001 2345', 'accounts_office_reference'],
    ['by its postcode', 'ls1 4dy', 'postcode'],
    ['by its postcode without the space', 'LS14DY', 'postcode'],
    ['by its email address', 'Jo.Harlow@obrien-sons.co.uk', 'email'],
    ['by part of its email address', 'obrien-sons.co', 'email'],
    ['by its phone number in national form', '07700 900 123', 'phone'],
    ['by its phone number in international form', '+44 7700 900123', 'phone'],
    ['by its phone number with 00', '0044 7700 900123', 'phone'],
    ['by its client code', 'har-001', 'client_code'],
    ['by its client code without the hyphen', 'HAR 001', 'client_code'],
  ])('%s: %s', (_how, q, field) => {
    expect(isFound(q, HARLOW)).toBe(true);
    expect(findMatchedField(q, HARLOW)).toBe(field);
  });

  it.each(['brian', '987654321', 'harlow 987654321', 'LS1 5DY', 'jo@harlow.example'])('not by %s', (q) => {
    expect(isFound(q, HARLOW)).toBe(false);
  });

  it('by any of its words, in any order and case, with any punctuation between them', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9éßçñ’'&]{1,12}$/).filter((text) => /[a-z0-9]/i.test(text));
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.constantFrom(' ', ', ', ' (', ') ', '  ')),
        (words, gaps) => {
          const client = { ...NO_DETAILS, name: words.join(' ') };
          const typedText = words.toReversed().map((text) => text.toUpperCase() + (gaps.next().value ?? ' '));
          expect(isFound(typedText.join(''), client)).toBe(true);
        },
      ),
    );
  });
});

it.each([
  ['  ', []],
  ['%_\\', []],
  ['Oak line', [['oak', 'line']]],
  ['and', [['and']]],
  ['A & B', [['a', 'b']]],
  ['GB 123 4567 89', [['123456789']]],
  ['Harbour 12 34', [['harbour', '12', '34'], ['harbour', '1234'], ['harbour1234']]],
  ['50%_\\', [['50']]],
])('parses %j as %j', (q, alternatives) => {
  expect(parseClientSearch(q)).toEqual(alternatives);
});
