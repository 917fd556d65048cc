/** HMRC's complete receipt, to read, print or save. The rest of the page isn't printed. */
import { RECEIPT_FILE_PATH } from '@portal/contract/documents.ts';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { describePaymentIndicator, formatProcessingDate } from '@portal/domain/vat-returns/receipt-texts.ts';
import { Fragment, type ReactNode } from 'react';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { DownloadButton } from '../documents/download-button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { getResultLabel, type ReturnTarget } from './return-api.ts';
import styles from './receipt-card.module.css';

type Receipt = NonNullable<VatReturnOutput['receipt']>;

export function ReceiptCard({ data, receipt, input }: { data: VatReturnOutput; receipt: Receipt; input: ReturnTarget }) {
  const { obligation } = data;
  return (
    <div className={styles.receipt}>
      <SectionCard
        title="Receipt"
        aside={
          <Row gap={8}>
            {input.client_id === undefined && (
              <DownloadButton
                path={RECEIPT_FILE_PATH}
                query={{ company_id: input.company_id, obligation_id: obligation.obligation_id }}
                label="Download PDF"
                name={`Download PDF of the receipt for ${periodText(obligation.period_start, obligation.period_end)}`}
              />
            )}
            <Button variant="outlined" size="small" onClick={() => print()}>
              Print
            </Button>
          </Row>
        }
        source={`Filed through ${data.brand}. We keep this receipt for six years.`}
      >
        <Stack>
          <dl className={styles.facts}>
            {listFacts(data, receipt, input).map(([name, value]) => (
              <Fragment key={name}>
                <dt className={styles.name}>{name}</dt>
                <dd className={styles.value}>{value}</dd>
              </Fragment>
            ))}
          </dl>
          <Text measure>
            <Text as="span" tone="quiet">
              You declared:{' '}
            </Text>
            {receipt.declaration}
          </Text>
        </Stack>
      </SectionCard>
    </div>
  );
}

function listFacts(data: VatReturnOutput, receipt: Receipt, input: ReturnTarget): [string, ReactNode][] {
  const { obligation, boxes } = data;
  const facts: [string, ReactNode][] = [['Period', periodText(obligation.period_start, obligation.period_end)]];
  if (boxes)
    facts.push([
      'Box 5',
      `${formatPounds(boxes.box5_pence)}, ${getResultLabel(input, boxes).replace(/^(?!HMRC)./, (letter) => letter.toLowerCase())}`,
    ]);
  facts.push(
    ['Filed by', receipt.filed_by],
    [receipt.source === 'answer' ? 'Received by HMRC' : 'Found at HMRC', <InstantText key="at" at={receipt.received_at} />],
  );
  if (receipt.source === 'read_back') {
    facts.push(['How we know', 'HMRC’s response was lost. We checked with HMRC and found this return there, with these figures.']);
  }
  if (receipt.source === 'read_back')
    facts.push(['HMRC receipt number', 'Not available. HMRC provides it only once, in the response that was lost.']);
  if (receipt.form_bundle_number) facts.push(['HMRC form bundle number', receipt.form_bundle_number]);
  if (receipt.processing_date) facts.push(['HMRC processing date', formatProcessingDate(receipt.processing_date)]);
  if (receipt.receipt_id) facts.push(['HMRC receipt ID', receipt.receipt_id]);
  if (receipt.charge_ref_number) facts.push(['HMRC charge reference', receipt.charge_ref_number]);
  if (receipt.payment_indicator) facts.push(['How it’s paid', describePaymentIndicator(receipt.payment_indicator)]);
  return facts;
}
