import { describe, expect, it } from 'vitest';
import { findMatchingRules, parseRuleValues, type AssignmentRule, type RuleCondition } from './assignment-rules.ts';

describe('the values of a rule', () => {
  it.each([
    ['postcode', ['sw', ' M ', 'SW', ''], ['SW', 'M']],
    ['tax', ['VAT', 'sa'], ['vat', 'sa']],
    ['letter', ['a', 'c – f', '0-9', 'M-M'], ['A', 'C-F', '0-9', 'M']],
  ] as const)('of %s are normalised', (conditionKind, texts, values) => {
    expect(parseRuleValues(conditionKind, texts)).toEqual({ ok: true, value: values });
  });

  it.each([
    ['postcode', ['SW1']],
    ['postcode', ['ABC']],
    ['tax', ['cis']],
    ['letter', ['AB']],
    ['letter', ['F-A']],
    ['letter', [' ']],
  ] as const)('of %s reject %j', (conditionKind, texts) => {
    expect(parseRuleValues(conditionKind, texts).ok).toBe(false);
  });
});

const createRule = (
  conditionKind: RuleCondition['by'],
  values: readonly string[],
  duty: AssignmentRule['duty'],
  isActive = true,
): AssignmentRule => ({
  condition: { by: conditionKind, values },
  duty,
  userId: 'someone',
  isActive,
});
const OAK = { name: 'Oak Ltd', postcode: 'S1 2HE', taxes: ['vat'] } as const;

describe('the rules that decide for a client', () => {
  it('are the first that match, one for each duty', () => {
    const rules = [
      createRule('letter', ['P-Z'], 'manager'),
      createRule('tax', ['paye', 'vat'], 'manager', false),
      createRule('tax', ['paye', 'vat'], 'manager'),
      createRule('postcode', ['S'], 'manager'),
      createRule('postcode', ['S'], 'vat'),
    ];
    expect(findMatchingRules(rules, OAK)).toEqual([2, 4]);
  });

  it.each([
    ['SW isn’t S', { ...OAK, postcode: 'SW1A 1AA' }, createRule('postcode', ['S'], 'vat'), false],
    ['no postcode', { ...OAK, postcode: null }, createRule('postcode', ['S'], 'vat'), false],
    ['an accent', { ...OAK, name: 'Élan' }, createRule('letter', ['E'], 'vat'), true],
    ['a quotation mark first', { ...OAK, name: '“Quill” Ltd' }, createRule('letter', ['P-R'], 'vat'), true],
    ['a digit', { ...OAK, name: '3M' }, createRule('letter', ['0-9'], 'vat'), true],
    ['a digit isn’t a letter', { ...OAK, name: '3M' }, createRule('letter', ['A-Z'], 'vat'), false],
    ['no letter at all', { ...OAK, name: '!!' }, createRule('letter', ['0-9', 'A-Z'], 'vat'), false],
  ])('with %s', (_case, client, item, matches) => {
    expect(findMatchingRules([item], client)).toEqual(matches ? [0] : []);
  });
});
