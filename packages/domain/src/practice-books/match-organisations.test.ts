import { describe, expect, it } from 'vitest';
import { matchOrganisations, toComparableName, type MatchableClient, type MatchableOrganisation } from './match-organisations.ts';

const createOrganisation = (facts: Partial<MatchableOrganisation> = {}): MatchableOrganisation => ({
  key: 'o1',
  name: 'Harbour Bakery Limited',
  vatNumber: null,
  companyNumber: null,
  ...facts,
});
const createClient = (facts: Partial<MatchableClient> = {}): MatchableClient => ({
  id: 'c1',
  name: 'Harbour Bakery Ltd',
  vrn: null,
  companyNumber: null,
  ...facts,
});
const match = (organisations: readonly MatchableOrganisation[], clients: readonly MatchableClient[]) =>
  Object.fromEntries([...matchOrganisations(organisations, clients)].map(([key, { kind, candidates }]) => [key, [kind, candidates]]));

describe('matching organisations to clients', () => {
  it('is certain by the VAT number, however it is written and whatever the name', () => {
    const foundMatches = match(
      [createOrganisation({ name: 'Old name', vatNumber: 'GB 123 4567 82' })],
      [createClient({ vrn: '123456782' }), createClient({ id: 'c2', name: 'Old name' })],
    );
    expect(foundMatches['o1']).toEqual([
      'sure',
      [
        { clientId: 'c1', reason: 'vat_number', conflict: null },
        { clientId: 'c2', reason: 'name', conflict: null },
      ],
    ]);
  });

  it('is certain by name and company number together, padded or not', () => {
    const foundMatches = match([createOrganisation({ companyNumber: '9482716' })], [createClient({ companyNumber: '09482716' })]);
    expect(foundMatches['o1']?.[0]).toBe('sure');
  });

  it.each([
    ['the name alone', {}, {}, 'name'],
    ['the company number alone', { name: 'Another name', companyNumber: '09482716' }, { companyNumber: '09482716' }, 'number'],
  ])('leaves %s to the user', (_case, organisationFacts, clientFacts, reason) => {
    const foundMatches = match([createOrganisation(organisationFacts)], [createClient(clientFacts)]);
    expect(foundMatches['o1']).toEqual(['review', [{ clientId: 'c1', reason, conflict: null }]]);
  });

  it('leaves numbers that contradict each other to the user, and says which', () => {
    const matchedFacts = { companyNumber: '09482716' };
    const foundMatches = match(
      [
        createOrganisation({ ...matchedFacts, vatNumber: '123456782' }),
        createOrganisation({ key: 'o2', name: 'Quay Ltd', vatNumber: '987654388', companyNumber: '01111111' }),
      ],
      [
        createClient({ ...matchedFacts, vrn: '999999973' }),
        createClient({ id: 'c2', name: 'Quay', vrn: '987654388', companyNumber: '02222222' }),
      ],
    );
    expect(foundMatches['o1']).toEqual(['review', [{ clientId: 'c1', reason: 'name_and_number', conflict: 'vat_number' }]]);
    expect(foundMatches['o2']).toEqual(['review', [{ clientId: 'c2', reason: 'vat_number', conflict: 'company_number' }]]);
  });

  it('leaves two organisations of one client, and two clients of one name, to the user', () => {
    const duplicateMatch = match(
      [createOrganisation({ vatNumber: '123456782' }), createOrganisation({ key: 'o2', vatNumber: '123456782' })],
      [createClient({ vrn: '123456782' })],
    );
    expect([duplicateMatch['o1']?.[0], duplicateMatch['o2']?.[0]]).toEqual(['review', 'review']);
    const names = match([createOrganisation()], [createClient(), createClient({ id: 'c2' })]);
    expect(names['o1']?.[1]).toHaveLength(2);
  });

  it('finds nothing where nothing is shared: empty numbers aren’t equal', () => {
    expect(match([createOrganisation({ name: 'Quay Ltd', vatNumber: '', companyNumber: '' })], [createClient()])['o1']).toEqual([
      'none',
      [],
    ]);
  });
});

it.each([
  ['The Café & Sons Ltd.', 'cafe and sons'],
  ['CAFE AND SONS LIMITED', 'cafe and sons'],
  ['J. Smith T/A Smith’s Garage', 'j smith'],
  ['Ltd', null],
])('compares the name %s as %s', (name, comparableName) => {
  expect(toComparableName(name)).toBe(comparableName);
});
