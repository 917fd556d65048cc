import { addMonths, toDateParts, type PlainDate } from '../plain-date.ts';

/**
 * Returns the next renewal after today. Each is counted from the first day, so a subscription that starts on 31 January renews on 28 or 29
 * February and on 31 March (docs.stripe.com, Setting the subscription billing cycle date).
 */
export function getNextRenewal(subscribedOn: PlainDate, today: PlainDate): PlainDate {
  const [first, now] = [toDateParts(subscribedOn), toDateParts(today)];
  const months = Math.max(0, (now.year - first.year) * 12 + now.month - first.month);
  const renewalThisMonth = addMonths(subscribedOn, months);
  return renewalThisMonth > today && months > 0 ? renewalThisMonth : addMonths(subscribedOn, months + 1);
}
