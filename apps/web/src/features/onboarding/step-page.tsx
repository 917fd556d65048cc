import type { CompanyAccess } from '@portal/contract/company-rights.ts';
import type { Progress, Step } from '@portal/contract/onboarding.ts';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Stepper } from './stepper.tsx';
import { getStepLink, useProgress } from './use-progress.ts';

/** The rights over a company that the steps about the company need. The other steps are about the user. */
const ACCESS_BY_STEP: Readonly<Partial<Record<Step, CompanyAccess>>> = {
  'government-gateway': 'company.manage',
  bookkeeping: 'company.prepare',
  'bank-account': 'company.manage',
};
const TASK_TEXTS: Readonly<Partial<Record<Step, string>>> = {
  'government-gateway': 'connect HMRC',
  bookkeeping: 'upload books',
  'bank-account': 'change the bank account',
};

type StepPageProps = {
  step: Step;
  title: string;
  lead?: ReactNode;
  /** Whether the page adds another company, which goes through its own steps. Only the user's own step is already done. */
  addsCompany?: boolean;
  children: (progress: Progress) => ReactNode;
};

/**
 * One onboarding step: the stepper, the heading and the card with the task. Steps about a company redirect to the company step until the
 * user has added one.
 */
export function StepPage({ step, title, lead, addsCompany = false, children }: StepPageProps) {
  const query = useProgress();
  const needsCompany = step !== 'about' && step !== 'company';
  if (needsCompany && query.data?.company_id === null) return <Navigate to={getStepLink('company', null)} replace />;
  return (
    <Page title={title} lead={lead} maxWidth="text">
      <Stepper current={step} progress={query.data} addsCompany={addsCompany} />
      <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
        {(progress) => (
          <SectionCard>
            <NeedsRight companyId={progress.company_id ?? ''} access={ACCESS_BY_STEP[step] ?? 'company.read'} to={TASK_TEXTS[step] ?? ''}>
              {children(progress)}
            </NeedsRight>
          </SectionCard>
        )}
      </LoadState>
    </Page>
  );
}
