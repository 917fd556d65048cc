import { TRIAL_DAYS } from '@portal/domain/pricing/plan-coverage.ts';
import type { Article } from './article.ts';

export const PRACTICE_BEGIN: Article = {
  key: 'practice-begin',
  title: 'Setting up your practice',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['openTaxSignup', 'practiceStepPractice', 'practiceStepArn', 'practiceStepHmrc', 'practiceStepTaxes'],
  words: 'sign up steps arn agent services account reference codes connect grant 18 months wrong account later trial price plan free',
  write: () => [
    'There are six short steps. Start with the first, then do the rest in any order. You can stop at any point and continue another day, on another device.',
    {
      steps: [
        'Name your practice. Clients see this name when you ask them to authorise you.',
        'Add your agent services account reference number (ARN), the one for Making Tax Digital. You can also add agent codes for older services. We store them for form 64-8, but they don’t connect you to HMRC.',
        'Give us permission on HMRC’s website, with the user ID for that same account. We never see your password.',
        'Choose the taxes you look after.',
        'Import your clients from a file.',
        'See what admins and team members can do.',
      ],
    },
    'The access you grant at HMRC lasts 18 months. It only covers clients who have authorised your practice. Without it you can use everything except VAT and Self Assessment updates from HMRC.',
    `A new practice has a trial of ${TRIAL_DAYS} days, in which we refresh every client’s figures from HMRC. Afterwards, we refresh as many connections (one client for one tax) as your plan includes, and those you’ve selected come first. Plan and price shows how many are free and what more cost. Nothing is deleted, and statements for PAYE and corporation tax can always be imported.`,
    'If we say your HMRC login belongs to another agent services account, it doesn’t match the ARN you gave us. Log out at HMRC and connect again, or correct the ARN in Settings.',
  ],
};
