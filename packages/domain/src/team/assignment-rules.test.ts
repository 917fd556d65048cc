import { describe, expect, it } from 'vitest';
import { findRules, parseRuleValues, type AssignmentRule, type RuleCondition } from './assignment-rules.ts';

describe('the values of a rule', () => {
  it.each([
    ['postcode', ['sw', ' M ', 'SW', ''], ['SW', 'M']],
    ['tax', ['VAT', 'sa'], ['vat', 'sa']],
    ['letter', ['a', 'c – f', '0-9', 'M-M'], ['A', 'C-F', '0-9', 'M']],
  ] as const)('of %s are normalised', (by, texts, values) => {
    expect(parseRuleValues(by, texts)).toEqual({ ok: true, value: values });
  });

  it.each([
    ['postcode', ['SW1']],
    ['postcode', ['ABC']],
    ['tax', ['cis']],
    ['letter', ['AB']],
    ['letter', ['F-A']],
    ['letter', [' ']],
  ] as const)('of %s reject %j', (by, texts) => {
    expect(parseRuleValues(by, texts).ok).toBe(false);
  });
});

const rule = (by: RuleCondition['by'], values: readonly string[], duty: AssignmentRule['duty'], isActive = true): AssignmentRule => ({
  condition: { by, values },
  duty,
  userId: 'someone',
  isActive,
});
const OAK = { name: 'Oak Ltd', postcode: 'S1 2HE', taxes: ['vat'] } as const;

describe('the rules that decide for a client', () => {
  it('are the first that match, one for each duty', () => {
    const rules = [
      rule('letter', ['P-Z'], 'manager'),
      rule('tax', ['paye', 'vat'], 'manager', false),
      rule('tax', ['paye', 'vat'], 'manager'),
      rule('postcode', ['S'], 'manager'),
      rule('postcode', ['S'], 'vat'),
    ];
    expect(findRules(rules, OAK)).toEqual([2, 4]);
  });

  it.each([
    ['SW isn’t S', { ...OAK, postcode: 'SW1A 1AA' }, rule('postcode', ['S'], 'vat'), false],
    ['no postcode', { ...OAK, postcode: null }, rule('postcode', ['S'], 'vat'), false],
    ['an accent', { ...OAK, name: 'Élan' }, rule('letter', ['E'], 'vat'), true],
    ['a quotation mark first', { ...OAK, name: '“Quill” Ltd' }, rule('letter', ['P-R'], 'vat'), true],
    ['a digit', { ...OAK, name: '3M' }, rule('letter', ['0-9'], 'vat'), true],
    ['a digit isn’t a letter', { ...OAK, name: '3M' }, rule('letter', ['A-Z'], 'vat'), false],
    ['no letter at all', { ...OAK, name: '!!' }, rule('letter', ['0-9', 'A-Z'], 'vat'), false],
  ])('with %s', (_case, client, item, matches) => {
    expect(findRules([item], client)).toEqual(matches ? [0] : []);
  });
});
