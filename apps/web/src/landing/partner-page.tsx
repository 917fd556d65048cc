/**
 * A partner's landing page with the partner's own content: the offer, the price, the steps, common questions, and the data shared with the
 * partner.
 */
import { getAdvanceTerms, type AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import type { ComponentProps } from 'react';
import { PUBLIC_PATHS } from '../lib/public-paths.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { formatFeeLine } from './fee-line.ts';
import { Landing, type LandingActions } from './landing.tsx';
import { LandingFrame } from './landing-frame.tsx';
import { Callout, Hero, Questions, Section, Steps, type Question } from './landing-sections.tsx';
import { RefundExample } from './refund-example.tsx';

type PartnerPageProps = Omit<ComponentProps<typeof Landing>, 'renderCopy'>;

export function PartnerPage(props: PartnerPageProps) {
  const partner = getPartner(props.prerenderedFor);
  return <Landing {...props} renderCopy={(actions) => <PartnerLanding brand={props.brand} partner={partner} {...actions} />} />;
}

type PartnerLandingProps = LandingActions & { brand: string; partner: Partner };

function PartnerLanding({ brand, partner, openSignUp, showDemo }: PartnerLandingProps) {
  const { logoText, copy, consentText } = partner;
  return (
    <LandingFrame
      brand={brand}
      partnerName={logoText}
      about={`${brand} buys VAT refunds of UK limited companies and LLPs. HMRC decides every return and every refund.`}
      helpPath={PUBLIC_PATHS.instantVatHelp}
      contactPath={PUBLIC_PATHS.contact}
    >
      <Hero
        title={copy.headline}
        lead={copy.lead}
        note={`${formatFeeLine(partner.name)}. You don’t pay anything until you accept an offer.`}
        actions={
          <>
            {/* Without JavaScript the link opens the dialog on a separate page. */}
            <a
              className={getButtonClass({})}
              href={`${PORTAL_BASE}/v2/instant-vat?partner=${partner.name}`}
              onClick={(event) => {
                event.preventDefault();
                openSignUp();
              }}
            >
              Sign up
            </a>
            <a
              className={getButtonClass({ variant: 'outlined' })}
              href={`${PORTAL_BASE}/v2/instant-vat/demo`}
              onClick={(event) => {
                event.preventDefault();
                showDemo();
              }}
            >
              Try the demo
            </a>
          </>
        }
      >
        <RefundExample title="What you would get" feeRateBps={partner.feeRateBps} />
      </Hero>
      <Section title="What happens after you sign up">
        <Steps steps={copy.steps} />
      </Section>
      <Questions questions={listQuestions(brand, partner, getAdvanceTerms(plainDate('2026-01-01')))} />
      <Callout title={partner.kind === 'broker' ? `What ${logoText} earns and what it sees` : `What ${logoText} sees`}>
        <p>{consentText}</p>
      </Callout>
    </LandingFrame>
  );
}

/** Derives the answers from the advance terms, so that they can't differ from an offer. */
function listQuestions(brand: string, partner: Partner, terms: AdvanceTerms): Question[] {
  return [
    {
      question: 'Is this a loan?',
      answer: `No. ${brand} buys the VAT refund that HMRC owes you. There’s no interest and nothing to repay in instalments.`,
    },
    {
      question: 'When do I get the money?',
      answer: `Within ${terms.payWithinHours} hours of accepting our offer and telling HMRC to repay into the collection account we open in your company’s name. We manually review refunds above ${formatPounds(terms.reviewAbovePence).replace(/\.00$/, '')}. The review is included in the ${terms.payWithinHours} hours.`,
    },
    {
      question: 'What does it cost?',
      answer: `${formatFeeLine(partner.name)}. The fee comes out of the refund. Filing returns and getting an offer are free.`,
    },
    {
      question: 'Who can use it?',
      answer: `UK limited companies and LLPs that have been registered for VAT for at least ${terms.minimumRegisteredDays} days, with all their VAT returns filed.`,
    },
    {
      question: 'What if HMRC repays less than I claimed?',
      answer: `You pay us the difference, without interest. We tell you the amount and the date at least ${terms.shortfallNoticeDays} days before it’s due. If you can’t pay it all at once, you can pay in up to three instalments. If HMRC only takes longer, you don’t have to do anything: you already have your money.`,
    },
    {
      question: 'Can I change my mind?',
      answer: 'Yes. You can withdraw free of charge at any time before we’ve paid you.',
    },
  ];
}
