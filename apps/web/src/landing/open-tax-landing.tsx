/** OpenTax's landing page for practices, prerendered. If a partner sent the visitor, its name is shown beside ours. */
import { OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { findPartner } from '@portal/domain/partners/partners.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { LandingFrame } from './landing-frame.tsx';

const STEPS = [
  { title: 'Tell us your practice', text: 'Its name and the reference of its agent services account. We check the check letter.' },
  { title: 'Connect HMRC once', text: 'On HMRC’s own page, for all clients who have authorised you. We never see your password.' },
  { title: 'Bring your clients', text: 'One file, with a dry run before anything is kept, and 24 hours to undo it.' },
  { title: 'See what is due', text: 'Overdue first, then what comes next, with the clients behind every number.' },
];

const SOURCES = [
  { tax: 'VAT', text: 'HMRC: returns due and filed, what is owed, paid and coming back, penalty points.' },
  { tax: 'Self Assessment', text: 'HMRC: balance, payments on account, balancing payment, deadlines.' },
  { tax: 'PAYE', text: 'Statements you import: HMRC’s service for agents’ software does not cover it. Deadlines by rule.' },
  { tax: 'Corporation tax', text: 'Statements you import, with periods from Companies House: HMRC’s service does not cover it either.' },
];

/** Fictional clients, labelled as an example on the page. */
const EXAMPLE = [
  { client: 'Alder Bakery Ltd', what: 'VAT payment', when: '5 days late', amount: '£2,281.72' },
  { client: 'Birch Joinery Ltd', what: 'Corporation tax return', when: 'in 3 days', amount: '–' },
  { client: 'Cedar Dental LLP', what: 'PAYE payment', when: 'in 6 days', amount: '£4,760.47' },
  { client: 'Dana Elm', what: 'Self Assessment payment', when: 'in 71 days', amount: '£1,905.00' },
];

/** The partner from which a client list can be imported. Undefined for everyone else. */
function findOpenTaxPartner(prerenderedFor: string): Partner | undefined {
  const partner = findPartner(prerenderedFor, 'open_tax');
  return partner.product === 'open_tax' ? partner : undefined;
}

type OpenTaxLandingProps = { brand: string; sandbox: string; prerenderedFor: string };

export function OpenTaxLanding({ brand, sandbox, prerenderedFor }: OpenTaxLandingProps) {
  const partner = findOpenTaxPartner(prerenderedFor);
  return (
    <div className="page">
      <aside className="sandbox" data-url={sandbox} aria-label="Sandbox">
        Sandbox: no real money moves, nothing reaches HMRC.{' '}
        <a href={sandbox} target="_blank" rel="noreferrer">
          Open the sandbox
        </a>
      </aside>
      <LandingFrame
        brand={brand}
        partnerName={partner?.logoText}
        about={`${brand} for accounting practices in the United Kingdom.`}
        helpPath={OPEN_TAX_HELP}
        contactPath={PAGES.openTaxContact.path}
      >
        <section className="door-hero">
          <div>
            <h1>{partner?.copy.headline ?? 'What every client owes, is owed and must file'}</h1>
            <p className="door-lead">
              {partner?.copy.lead ??
                'OpenTax reads VAT and Self Assessment of your clients from HMRC, takes PAYE and corporation tax from your statements, and shows all four in one picture.'}
            </p>
            <div className="door-actions">
              <a className="button" href={`${PORTAL_BASE}${PAGES.openTaxSignup.path}`}>
                Sign up your practice
              </a>
            </div>
            <p className="door-fee">An account costs nothing and sends nothing to HMRC.</p>
          </div>
          <Example />
        </section>
        <section aria-labelledby="open-tax-steps">
          <h2 id="open-tax-steps">How it begins</h2>
          <ol className="door-steps">
            {(partner === undefined ? STEPS : [...partner.copy.steps, ...STEPS.slice(3)]).map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </section>
        <section aria-labelledby="open-tax-sources">
          <h2 id="open-tax-sources">Where each figure comes from</h2>
          <dl className="open-tax-sources">
            {SOURCES.map(({ tax, text }) => (
              <div key={tax}>
                <dt>{tax}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className="door-consent" aria-labelledby="open-tax-rely">
          <h2 id="open-tax-rely">What you can rely on</h2>
          <p>
            Every figure names its source and its time. What a statement or a rule says is never shown as HMRC’s, and a figure that could
            not be read anew stays, with its date. A team member sees the clients assigned to them, and no others. Nothing is sent to HMRC
            unless one of you presses the button for it.
          </p>
          {partner !== undefined && <p>{partner.consentText}</p>}
        </section>
      </LandingFrame>
    </div>
  );
}

function Example() {
  return (
    <section className="door-price" aria-labelledby="open-tax-example">
      <h2 id="open-tax-example">Your clients, by what comes next</h2>
      <dl>
        {EXAMPLE.map(({ client, what, when, amount }) => (
          <div key={client}>
            <dt className="open-tax-client">
              {client}
              <span>
                {what}, {when}
              </span>
            </dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      <p>An example with made-up clients.</p>
    </section>
  );
}
