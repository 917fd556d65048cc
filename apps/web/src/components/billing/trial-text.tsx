import { formatDate } from '@portal/domain/plain-date.ts';
import { Text } from '../../ui/text.tsx';
import type { Billing } from './use-billing.ts';

/** Says which figures are refreshed during a practice's trial and afterwards. Shows nothing for a practice without that limit. */
export function TrialText({ trial }: { trial: Billing['trial'] }) {
  if (trial === null) return null;
  const day = formatDate(trial.ends_on);
  return (
    <Text size="small" tone="quiet">
      {trial.has_ended
        ? `Your trial ended on ${day}. We refresh as many connections from HMRC as you pay for, or as the free tier includes. Those you’ve selected come first.`
        : `Your trial ends on ${day}. Until then, we refresh every connection from HMRC. Afterwards, we refresh as many as you pay for, or as the free tier includes. Those you’ve selected come first.`}
    </Text>
  );
}
