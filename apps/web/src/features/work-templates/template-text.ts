/** Describes a template's trigger and steps in words. */
import type { WorkTemplateView } from '@portal/contract/work-templates.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';

/**
 * Describes when a step is due, for example “10 days before the due day”. When tasks are created manually, both anchors are the day that
 * the user enters.
 */
export function describeStep({ from, days }: WorkTemplateView['steps'][number], isTriggered: boolean): string {
  const anchor = !isTriggered ? 'the date you enter' : from === 'due_day' ? 'HMRC’s due date' : 'the end of the period';
  if (days === 0) return `on ${anchor}`;
  return `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'} ${anchor}`;
}

export function describeTrigger({ trigger, is_on: isOn, client_tag: tag }: WorkTemplateView): string {
  if (trigger === null) return 'Used manually.';
  const triggerText = trigger.kind === 'return' ? `${TAX_NAMES[trigger.tax]} return` : `${TAX_NAMES[trigger.tax]} quarterly update`;
  if (!isOn) return `Off. If switched on, creates its tasks when a ${triggerText} period ends.`;
  return `Creates its tasks when a ${triggerText} period ends, for ${tag === null ? 'all clients with this tax' : `clients with the tag “${tag}”`}.`;
}
