/** A visitor's first step: creates the account. An emailed link completes it. */
import { getSignUpEmail } from '../../lib/sign-up-email.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LogInInstead, SignUpAccount } from '../../components/companies/sign-up-account.tsx';
import { Stepper } from './stepper.tsx';

export function SignUpForm() {
  return (
    <Page
      title="About you"
      maxWidth="text"
      lead="Signing up is free, and we won’t file anything. There are six short steps, and you can stop and come back at any time."
    >
      <Stepper current="about" progress={undefined} />
      <SectionCard>
        <SignUpAccount
          product="instant_vat"
          draft="sign-up"
          email={getSignUpEmail()}
          emailLabel="Email"
          phoneHint="We’ll only call if we need you to do something about a refund."
          subject="your VAT refunds"
        />
      </SectionCard>
      <LogInInstead />
    </Page>
  );
}
