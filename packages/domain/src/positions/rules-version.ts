/**
 * Version of the position rules. Increase it whenever `calculatePosition` gives a different result for the same facts, because of a rule, a
 * rate, a bank holiday or the shape of its detail. It is stored with each position; older positions are recalculated after a release.
 */
export const RULES_VERSION = 9;
