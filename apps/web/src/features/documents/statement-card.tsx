import { STATEMENT_FILE_PATH, type DocumentsOutput } from '@portal/contract/documents.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { ReactNode } from 'react';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { getPeriodError, type ChosenPeriod } from './period-fields.tsx';

export type AccountPartProps = { data: DocumentsOutput; companyId: string; period: ChosenPeriod };

/** The balance today, and the statement of the chosen period. `children`: the fields that choose the period. */
export function StatementCard({ data, companyId, period, children }: AccountPartProps & { children: ReactNode }) {
  const { balance_pence: balance } = data.account;
  const query = { company_id: companyId, ...period };
  return (
    <SectionCard title="Statement of account" source={`${data.fee_vat.text} Source: ${data.fee_vat.source}.`}>
      <Stack>
        <KeyFigure figure={formatPounds(pence(Math.abs(balance)))} label={getBalanceLabel(balance)} />
        {children}
        {getPeriodError(period, data.account.today) === undefined && (
          <Row gap={8}>
            <DownloadButton
              path={STATEMENT_FILE_PATH}
              query={{ ...query, format: 'pdf' }}
              label="Download statement (PDF)"
              name="Download statement (PDF)"
            />
            <DownloadButton
              path={STATEMENT_FILE_PATH}
              query={{ ...query, format: 'csv' }}
              label="Download statement (CSV)"
              name="Download statement (CSV)"
            />
          </Row>
        )}
      </Stack>
    </SectionCard>
  );
}

/** Describes the balance in words, because a sign alone is easy to misread. */
function getBalanceLabel(balance: number): string {
  if (balance === 0) return 'Nothing outstanding today';
  return balance > 0 ? 'Balance due to us today, from HMRC or you' : 'Balance we hold for you today';
}
