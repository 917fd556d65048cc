/**
 * Raised by one with each release that changes what `positionOf` answers for equal facts: a rule, a rate, a bank holiday, the shape of its detail.
 * It is kept with each position, and those of an older version are worked out anew after the release.
 */
export const RULES_VERSION = 5;
