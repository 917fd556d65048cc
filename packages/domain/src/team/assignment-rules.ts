/** A practice's rules for assigning responsibilities when an import creates clients. */
import type { Duty } from '../clients/client.ts';
import { normaliseSearchText } from '../clients/search-text.ts';
import { createRejection, type Parsed, parsed } from '../parsed.ts';
import { TAXES, type Tax } from '../uk-tax/tax.ts';

export const RULE_CONDITIONS = ['postcode', 'tax', 'letter'] as const;
export const MAX_ASSIGNMENT_RULES = 100;
export const MAX_RULE_VALUES = 50;

/**
 * A condition that a client meets if any of the values matches. `postcode`: postcode areas, the letters that a postcode starts with (SW,
 * M). `tax`: the client has the tax. `letter`: the first letter or digit of the name, or a range of them (A-F).
 */
export type RuleCondition = { readonly by: (typeof RULE_CONDITIONS)[number]; readonly values: readonly string[] };

/** `isActive`: the member still works at the practice. */
export type AssignmentRule = {
  readonly condition: RuleCondition;
  readonly duty: Duty;
  readonly userId: string;
  readonly isActive: boolean;
};

/** The client details that rules use. The postcode is as stored. */
export type AssignableClient = { readonly name: string; readonly postcode: string | null; readonly taxes: readonly Tax[] };

const PARSER_BY_CONDITION: Readonly<Record<RuleCondition['by'], (value: string) => Parsed<string>>> = {
  postcode: (value) =>
    /^[A-Z]{1,2}$/.test(value)
      ? parsed(value)
      : createRejection(`“${value}” isn’t a postcode area. Enter the letters at the start of the postcode, for example SW.`),
  tax: (value) => {
    const tax = TAXES.find((known) => known === value.toLowerCase());
    return tax === undefined ? createRejection(`“${value}” isn’t one of ${TAXES.join(', ')}.`) : parsed(tax);
  },
  letter: (value) => {
    const [, first, last] = /^([A-Z0-9])(?:\s*[-–]\s*([A-Z0-9]))?$/.exec(value) ?? [];
    if (first === undefined) return createRejection(`“${value}” isn’t a letter or a range. Enter one such as A-F.`);
    if (last === undefined || last === first) return parsed(first);
    return first < last ? parsed(`${first}-${last}`) : createRejection(`“${value}” ends before it starts. Enter ${last}-${first}.`);
  },
};

/** Returns the values in their stored form and original order, without duplicates. */
export function parseRuleValues(conditionKind: RuleCondition['by'], texts: readonly string[]): Parsed<readonly string[]> {
  const values = new Set<string>();
  for (const valueText of texts) {
    const trimmed = valueText.trim().toUpperCase();
    if (trimmed === '') continue;
    const value = PARSER_BY_CONDITION[conditionKind](trimmed);
    if (!value.ok) return value;
    values.add(value.value);
  }
  if (values.size === 0) return createRejection('Choose which clients the rule is for.');
  if (values.size > MAX_RULE_VALUES)
    return createRejection(`A rule can have at most ${MAX_RULE_VALUES} values. Add another rule for the rest.`);
  return parsed([...values]);
}

/** Returns the rule that applies to each of a client's responsibilities, by its position in the list: the first active one that matches. */
export function findMatchingRules(rules: readonly AssignmentRule[], client: AssignableClient): readonly number[] {
  const decidedDuties = new Set<Duty>();
  return rules.flatMap(({ condition, duty, isActive }, index) => {
    if (!isActive || decidedDuties.has(duty) || !matches(condition, client)) return [];
    decidedDuties.add(duty);
    return [index];
  });
}

function matches({ by, values }: RuleCondition, { name, postcode, taxes }: AssignableClient): boolean {
  if (by === 'tax') return taxes.some((tax) => values.includes(tax));
  if (by === 'postcode') return values.includes(/^[A-Z]{1,2}/.exec(postcode ?? '')?.[0] ?? '');
  const letter = normaliseSearchText(name).charAt(0).toUpperCase();
  return values.some((range) => letter >= range.charAt(0) && letter <= range.charAt(range.length - 1) && letter !== '');
}
