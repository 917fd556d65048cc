import { listSteps, type Progress, type Step } from '@portal/contract/onboarding.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { getCurrentPartner } from '../../lib/partner.ts';
import { StepBar } from '../../components/companies/step-bar.tsx';
import { getStepLink } from './use-progress.ts';

/** Labels of the steps. */
const STEP_NAMES: Readonly<Record<Step, string>> = {
  about: 'About you',
  company: 'Company',
  'government-gateway': 'HMRC',
  bookkeeping: 'Books',
  'bank-account': 'Bank',
  identity: 'Identity',
};

type StepperProps = { current: Step; progress: Progress | undefined; addsCompany?: boolean };

/**
 * The trader's steps. Visitors without an account see only the names. When adding a company, only the user's own step can already be done.
 */
export function Stepper({ current, progress, addsCompany = false }: StepperProps) {
  const steps = progress?.steps ?? listSteps(getPartner(getCurrentPartner()).booksStep).map((step) => ({ step, status: 'todo' as const }));
  return (
    <StepBar
      current={current}
      steps={steps.map(({ step, status }) => ({
        key: step,
        label: STEP_NAMES[step],
        status: addsCompany && step !== 'about' ? 'todo' : status,
        to: progress === undefined ? undefined : getStepLink(step, progress.company_id),
      }))}
    />
  );
}
