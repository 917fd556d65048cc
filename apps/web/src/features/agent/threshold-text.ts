/** A rule's threshold in the units that users enter: pounds instead of pence. */
import type { AgentRuleState } from '@portal/contract/agent.ts';

type Threshold = NonNullable<AgentRuleState['threshold']>;

const UNIT_LABELS = { pence: '£', days: 'days', percent: '%', count: '' } as const satisfies Record<Threshold['unit'], string>;

/** Formats, for example, “Overdue amounts from (£)”. */
export function formatThresholdUnit({ text, unit }: Threshold): string {
  const unitName = UNIT_LABELS[unit];
  return unitName === '' || text.toLowerCase().includes(unitName) ? text : `${text} (${unitName})`;
}

export const toInputValue = ({ value, unit }: Threshold): string => String(unit === 'pence' ? value / 100 : value);

/** Returns NaN for text that isn’t a number; the server then rejects it and states the rule's limits. */
export function parseThreshold({ unit }: Threshold, text: string): number {
  const number = Number(text.replaceAll(/[£%,\s]/g, ''));
  return unit === 'pence' ? Math.round(number * 100) : number;
}
