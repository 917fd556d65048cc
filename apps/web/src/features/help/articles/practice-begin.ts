import type { Article } from './article.ts';

export const PRACTICE_BEGIN: Article = {
  key: 'practice-begin',
  title: 'Setting your practice up',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['openTaxSignup', 'practiceStepPractice', 'practiceStepArn', 'practiceStepHmrc', 'practiceStepTaxes'],
  words: 'sign up steps arn agent services account reference codes connect grant 18 months wrong account later',
  write: () => [
    'Six short steps, in any order after the first. You can stop at any of them and go on another day, on another device.',
    {
      steps: [
        'The name of your practice. Clients see it when you ask them for authority.',
        'The reference of your agent services account (ARN), the one for Making Tax Digital. Agent codes of older services are kept for form 64-8 and connect nothing.',
        'HMRC’s permission, given on HMRC’s own page with the user ID of that same account. We never see your password.',
        'The taxes you look after.',
        'Your clients, from a file.',
        'Your team.',
      ],
    },
    'HMRC’s permission lasts 18 months. It covers the clients who have authorised your practice, and nobody else. Without it everything works but reading VAT and Self Assessment.',
    '“That HMRC sign-in is for a different agent services account” means that the reference you gave us and the account you logged in with are not the same. Log out at HMRC and connect again, or correct the reference in the settings.',
  ],
};
