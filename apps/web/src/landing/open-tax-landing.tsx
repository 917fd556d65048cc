/** OpenTax's prerendered landing page for practices. If a partner sent the visitor, the partner's name is shown beside ours. */
import { TRIAL_DAYS } from '@portal/domain/pricing/plan-coverage.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { PUBLIC_PATHS } from '../lib/public-paths.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { SandboxNotice, type Sandbox } from '../ui/sandbox-notice.tsx';
import { getTextLinkClass } from '../ui/text-link-look.ts';
import { LandingFrame } from './landing-frame.tsx';
import { Callout, Example, ExampleLine, Hero, Questions, Section, Steps, Terms } from './landing-sections.tsx';
import styles from './open-tax-landing.module.css';
import { PriceSection } from './price-section.tsx';
import { RefundExample } from './refund-example.tsx';

const STEPS = [
  {
    title: 'Tell us about your practice',
    text: 'Enter its name and its agent reference number. We check that the number is valid.',
  },
  {
    title: 'Connect HMRC once',
    text: 'Give permission on HMRC’s website for all the clients who’ve authorised you. We never see your password.',
  },
  { title: 'Add your clients', text: 'Upload one file. You preview the changes before anything is saved, and can undo them for 24 hours.' },
  { title: 'See what’s due', text: 'Overdue items come first, then what’s coming up. Select any total to see the clients behind it.' },
];

const SOURCES = [
  { term: 'VAT', text: 'From HMRC: returns due and filed, amounts owed, paid and due back, and penalty points.' },
  { term: 'Self Assessment', text: 'From HMRC: balance, payments on account, balancing payment and deadlines.' },
  {
    term: 'PAYE',
    text: 'From statements you upload, because HMRC’s service for agent software doesn’t cover PAYE. We work out the deadlines.',
  },
  {
    term: 'Corporation Tax',
    text: 'From statements you upload, with accounting periods from Companies House. HMRC’s service doesn’t cover Corporation Tax either.',
  },
];

/** Fictional clients, labelled as an example on the page. */
const EXAMPLE_CLIENTS = [
  { client: 'Alder Bakery Ltd', what: 'VAT payment, 5 days late', amount: '£2,281.72' },
  { client: 'Birch Joinery Ltd', what: 'Corporation Tax return, due in 3 days', amount: '–' },
  { client: 'Cedar Dental LLP', what: 'PAYE payment, due in 6 days', amount: '£4,760.47' },
  { client: 'Dana Elm', what: 'Self Assessment payment, due in 71 days', amount: '£1,905.00' },
];

const QUESTIONS = [
  {
    question: 'Do my clients need to do anything?',
    answer:
      'Not if they’ve already authorised you at HMRC for that tax. If they haven’t, you can create an authorisation request here, and we email them HMRC’s link. They have 21 days to accept it on HMRC’s website.',
  },
  {
    question: 'Can you get my client list from HMRC?',
    answer: 'No. HMRC doesn’t give software a list of an agent’s clients, so you upload a CSV or Excel file. Only a name is required.',
  },
  {
    question: 'How do I know a figure is up to date?',
    answer:
      'Every figure shows its source and the time we read it. We never show figures from statements or our own calculations as HMRC’s. If we can’t refresh a figure, you still see the last one with its date.',
  },
  {
    question: 'Who in my practice can see which clients?',
    answer: 'Admins see every client. Team members see only the clients assigned to them, in every list, total and export.',
  },
  {
    question: 'Do you send anything to HMRC?',
    answer: 'Only when someone in your practice chooses to, for example by sending an authorisation request.',
  },
];

/** Finds the partner from which a client list can be imported. Returns undefined for everyone else. */
function findOpenTaxPartner(prerenderedFor: string): Partner | undefined {
  const partner = getPartner(prerenderedFor, 'open_tax');
  return partner.product === 'open_tax' ? partner : undefined;
}

type OpenTaxLandingProps = { brand: string; sandbox: Sandbox; prerenderedFor: string };

export function OpenTaxLanding({ brand, sandbox, prerenderedFor }: OpenTaxLandingProps) {
  const partner = findOpenTaxPartner(prerenderedFor);
  return (
    <>
      <SandboxNotice {...sandbox} />
      <LandingFrame
        brand={brand}
        partnerName={partner?.logoText}
        about={`${brand} OpenTax is for accounting and tax practices in the UK.`}
        helpPath={PUBLIC_PATHS.openTaxHelp}
        contactPath={PUBLIC_PATHS.openTaxContact}
      >
        <Hero
          title={partner?.copy.headline ?? 'See what every client owes, is owed and must file'}
          lead={
            partner?.copy.lead ??
            'OpenTax reads your clients’ VAT and Self Assessment from HMRC, adds PAYE and Corporation Tax from your statements, and shows all four in one place.'
          }
          note={`Creating an account is free and sends nothing to HMRC. Try it with all your clients for ${TRIAL_DAYS} days.`}
          actions={
            <a className={getButtonClass({})} href={`${PORTAL_BASE}${PUBLIC_PATHS.openTaxSignup}`}>
              Sign up your practice
            </a>
          }
        >
          <Example title="Your clients, by what’s due next" note="This example uses made-up clients.">
            {EXAMPLE_CLIENTS.map(({ client, what, amount }) => (
              <ExampleLine key={client} name={client} detail={what} figure={amount} />
            ))}
          </Example>
        </Hero>
        <Section title="How to get started">
          <Steps steps={partner === undefined ? STEPS : [...partner.copy.steps, ...STEPS.slice(3)]} />
        </Section>
        <Section title="Where each figure comes from">
          <Terms terms={SOURCES} />
        </Section>
        <PriceSection />
        <Questions questions={QUESTIONS} />
        <ClientRefund />
        {partner !== undefined && (
          <Callout title={`Your ${partner.logoText} data`}>
            <p>{partner.consentText}</p>
          </Callout>
        )}
      </LandingFrame>
    </>
  );
}

/** The amount InstantVAT would pay one of the practice's clients. */
function ClientRefund() {
  return (
    <Section title="Is a client waiting for a VAT refund?">
      <div className={styles.clientRefund}>
        <p>
          Limited companies and LLPs can use InstantVAT to get their VAT refund in as little as 24 hours. They sign up themselves and pay
          the fee out of the refund.{' '}
          <a href={`${PORTAL_BASE}${PUBLIC_PATHS.instantVatLanding}`} className={getTextLinkClass()}>
            See how InstantVAT works
          </a>
        </p>
        <RefundExample title="What a client would get" feeRateBps={getPartner(ORGANIC_PARTNER).feeRateBps} />
      </div>
    </Section>
  );
}
