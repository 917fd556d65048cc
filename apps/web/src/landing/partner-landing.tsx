/** A partner's landing page, with the partner's copy: the offer, the price, the steps and the data shared with the partner. */
import { PAGES } from '@portal/contract/pages.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { priceRefund } from '@portal/domain/advances/price-refund.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { formatFeeLine } from './fee-line.ts';
import { LandingFrame } from './landing-frame.tsx';

type PartnerLandingProps = { brand: string; partner: Partner; openSignUp: () => void; showDemo: () => void };

export function PartnerLanding({ brand, partner, openSignUp, showDemo }: PartnerLandingProps) {
  const { logoText, copy, consentText } = partner;
  return (
    <LandingFrame
      brand={brand}
      partnerName={logoText}
      about={`${brand} buys VAT refunds of UK limited companies and LLPs. HMRC decides every return and every refund.`}
      helpPath={PAGES.instantVatHelp.path}
      contactPath={PAGES.contact.path}
    >
      <section className="door-hero">
        <div>
          <h1>{copy.headline}</h1>
          <p className="door-lead">{copy.lead}</p>
          <div className="door-actions">
            {/* Without JavaScript the link opens the dialog on a separate page. */}
            <a
              className="button"
              href={`${PORTAL_BASE}/v2/instant-vat?partner=${partner.name}`}
              onClick={(event) => {
                event.preventDefault();
                openSignUp();
              }}
            >
              Sign up
            </a>
            <a
              className="button door-second"
              href={`${PORTAL_BASE}/v2/instant-vat/demo`}
              onClick={(event) => {
                event.preventDefault();
                showDemo();
              }}
            >
              See a demo account
            </a>
          </div>
          <p className="door-fee">{formatFeeLine(partner.name)}. You pay nothing until you accept an offer.</p>
        </div>
        <PriceExample partner={partner} />
      </section>
      <section aria-labelledby="door-steps">
        <h2 id="door-steps">What happens after you sign up</h2>
        <ol className="door-steps">
          {copy.steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className="door-consent" aria-labelledby="door-consent">
        <h2 id="door-consent">{partner.kind === 'broker' ? `What ${logoText} earns, and what it sees` : `What ${logoText} sees`}</h2>
        <p>{consentText}</p>
      </section>
    </LandingFrame>
  );
}

/** An example refund, priced by the same function as an offer. */
const EXAMPLE_REFUND = pence(12_340_55);

function PriceExample({ partner }: { partner: Partner }) {
  const price = priceRefund(EXAMPLE_REFUND, partner.feeRateBps, getAdvanceTerms(plainDate('2026-01-01')).minimumFeePence);
  if (!price) return null;
  return (
    <section className="door-price" aria-labelledby="door-price">
      <h2 id="door-price">What a refund would pay you</h2>
      <dl>
        <div>
          <dt>HMRC owes you</dt>
          <dd>{formatPounds(price.refund)}</dd>
        </div>
        <div>
          <dt>Our fee, {partner.feeRateBps / 100}%</dt>
          <dd>{formatPounds(pence(-price.fee))}</dd>
        </div>
        <div className="door-net">
          <dt>We pay you</dt>
          <dd>{formatPounds(price.net)}</dd>
        </div>
      </dl>
      <p>In your bank account in as little as 24 hours after you accept, always at least 3 working days before HMRC.</p>
    </section>
  );
}
