/** The finding about a refund without any earlier one. An operator who has approved it can only be better informed by another. */
export const NO_EARLIER_REFUNDS = 'There are no earlier refunds to compare with.';
