/** Explains to visitors how to file a VAT return here, and links to sign-up (docs/product/decisions.md section 4). */
import { PAGES } from '@portal/contract/pages.ts';
import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import { BOX_NAMES } from '../../lib/box-names.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { NumberedSteps } from '../../ui/numbered-steps.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './vat-return-info-screen.module.css';

const STEPS = [
  {
    title: 'Give us permission to work with your VAT account',
    text: 'You do this on HMRC’s website. We never see your Government Gateway password.',
  },
  { title: 'Add your books', text: 'Connect Xero, QuickBooks or FreeAgent, or upload a file of transactions.' },
  { title: 'Check the nine boxes', text: 'See the transactions behind each box. We point out what often leads to questions from HMRC.' },
  { title: 'Confirm the declaration and file', text: 'Only once the period has ended, and only when you press the button.' },
  { title: 'Keep the receipt', text: 'HMRC replies straight away. We keep the receipt for six years.' },
  { title: 'If you’re due a refund', text: 'We’ll offer to pay it within 24 hours. You decide.' },
];

export function VatReturnInfoScreen() {
  return (
    <Page
      title="File your VAT return with us"
      maxWidth="text"
      lead="From your books to HMRC’s receipt, under Making Tax Digital. Filing is free."
    >
      <Stack gap={24}>
        <SignUpLinks isPrimary />
        <SectionCard title="How it works">
          <NumberedSteps steps={STEPS} />
        </SectionCard>
        <SectionCard title="The nine boxes">
          <dl className={styles.boxes}>
            {BOX_NAMES.map(({ number, name, computed, unit }) => (
              <div key={number} className={styles.box}>
                <dt>Box {number}</dt>
                <dd>
                  {name}
                  <Text size="small" tone="quiet">
                    {computed
                      ? `${computed}. We calculate it, so you don’t need to enter it.`
                      : unit === 'pounds'
                        ? 'In whole pounds.'
                        : 'In pounds and pence.'}
                  </Text>
                </dd>
              </div>
            ))}
          </dl>
        </SectionCard>
        <SectionCard title="The declaration">
          <Text>Before you file, you confirm HMRC’s declaration:</Text>
          <blockquote className={styles.declaration}>{DECLARATIONS.trader}</blockquote>
        </SectionCard>
        <SectionCard title="What HMRC gets">
          <Text>
            The nine boxes for the period, your declaration, and the details of your browser and connection that the law requires to prevent
            fraud. Your transactions stay with us.
          </Text>
        </SectionCard>
        <SectionCard title="The receipt">
          <Text>
            HMRC’s receipt has a number and a time. You can open and print it at any time. If HMRC’s reply is lost, we never guess and file
            again. We check with HMRC what it has received.
          </Text>
        </SectionCard>
        <SignUpLinks />
      </Stack>
    </Page>
  );
}

/** Shown at the top and the bottom of the page. Only the first has the page's filled button. */
function SignUpLinks({ isPrimary = false }: { isPrimary?: boolean }) {
  return (
    <ButtonRow>
      {/* The landing page is outside this app, so load it as a document. */}
      <Button href={`${PORTAL_BASE}${PAGES.instantVatLanding.path}`} variant={isPrimary ? 'filled' : 'outlined'}>
        Sign up
      </Button>
      <Button to={`${PAGES.demo.path}/vat-return`} variant={isPrimary ? 'outlined' : 'text'}>
        See a return in the demo
      </Button>
    </ButtonRow>
  );
}
