import { AGREEMENT_FILE_PATH, QUOTE_FILE_PATH, RECEIPT_FILE_PATH, type PeriodDocumentsOutput } from '@portal/contract/documents.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { periodText } from '../../lib/period-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './periods-card.module.css';

type ListedDocument = {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly path: `/${string}`;
  readonly query: Readonly<Record<string, string>>;
};

/** Every receipt, offer and agreement, by VAT period. */
export function PeriodsCard({ periods, companyId }: { periods: readonly PeriodDocumentsOutput[]; companyId: string }) {
  return (
    <SectionCard title="VAT returns and refunds">
      {periods.length === 0 ? (
        <Text tone="quiet">No documents yet. Your first receipt appears here when HMRC has received a return you file with us.</Text>
      ) : (
        <Stack gap={24}>
          {periods.map((period) => (
            <PeriodDocumentRows key={period.obligation_id} period={period} companyId={companyId} />
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

function PeriodDocumentRows({ period, companyId }: { period: PeriodDocumentsOutput; companyId: string }) {
  const name = periodText(period.period_start, period.period_end, 'short');
  return (
    <div>
      <Heading level={3} size="part">
        {periodText(period.period_start, period.period_end)}
      </Heading>
      <Stack as="ul" gap={0}>
        {listPeriodDocuments(period, companyId).map(({ key, title, detail, path, query }) => (
          <Row as="li" key={key} justify="between" gap={8} className={styles.paper}>
            <div>
              <Text weight="medium">{title}</Text>
              <Text size="small" tone="quiet">
                {detail}
              </Text>
            </div>
            <DownloadButton path={path} query={query} label="Download PDF" name={`Download PDF: ${title}, ${name}, ${detail}`} />
          </Row>
        ))}
      </Stack>
    </div>
  );
}

function listPeriodDocuments({ obligation_id, filed_at, offers }: PeriodDocumentsOutput, companyId: string): ListedDocument[] {
  const receipt: ListedDocument[] =
    filed_at === null
      ? []
      : [
          {
            key: 'receipt',
            title: 'HMRC receipt',
            detail: `Return received ${formatDate(toLondonDate(filed_at), 'short')}`,
            path: RECEIPT_FILE_PATH,
            query: { company_id: companyId, obligation_id },
          },
        ];
  return [
    ...receipt,
    ...offers.flatMap((offer): ListedDocument[] => {
      const query = { company_id: companyId, advance_id: offer.advance_id };
      const { accepted_at: acceptedAt } = offer;
      return [
        {
          key: `offer ${offer.advance_id}`,
          title: 'Offer',
          detail: `${formatPounds(offer.net_pence)} for a refund of ${formatPounds(offer.refund_pence)}, made ${formatDate(toLondonDate(offer.quoted_at), 'short')}`,
          path: QUOTE_FILE_PATH,
          query,
        },
        {
          key: `agreement ${offer.advance_id}`,
          title: 'Agreement',
          detail: acceptedAt === null ? 'Not accepted' : `Accepted ${formatDate(toLondonDate(acceptedAt), 'short')}`,
          path: AGREEMENT_FILE_PATH,
          query,
        },
      ];
    }),
  ];
}
