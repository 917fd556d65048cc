import { PRACTICE_STEPS, type PracticeProgress, type PracticeStep } from '@portal/contract/practice.ts';
import { getPracticeStepLink } from '../../lib/practice-steps.ts';
import { StepBar } from '../companies/step-bar.tsx';

const STEP_NAMES: Readonly<Record<PracticeStep, string>> = {
  practice: 'Practice',
  arn: 'References',
  hmrc: 'HMRC',
  taxes: 'Taxes',
  import: 'Clients',
  team: 'Team',
};

/** The steps of a practice's sign-up. `progress` is undefined while loading. */
export function PracticeStepBar({ current, progress }: { current: PracticeStep; progress: PracticeProgress | undefined }) {
  const steps = progress?.steps ?? PRACTICE_STEPS.map((step) => ({ step, status: 'todo' as const }));
  return (
    <StepBar
      current={current}
      steps={steps.map(({ step, status }) => ({
        key: step,
        label: STEP_NAMES[step],
        status,
        to: progress === undefined ? undefined : getPracticeStepLink(step, progress.company_id),
      }))}
    />
  );
}
