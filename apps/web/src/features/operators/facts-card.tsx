/** The figures of the advance and its payout, to the penny. */
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { ReactNode } from 'react';
import { periodText } from '../../lib/period-text.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { DocumentsLink } from '../../components/documents/documents-link.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ShortHash } from '../../ui/short-hash.tsx';
import styles from './facts-card.module.css';
import type { OperatorPartProps } from './operator-outputs.ts';

export function FactsCard({ data }: OperatorPartProps) {
  return (
    <SectionCard title="Figures" aside={<DocumentsLink companyId={data.company.company_id} />}>
      <dl className={styles.facts}>
        {listFacts(data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  );
}

function listFacts({ company, advance, payout }: OperatorPartProps['data']): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    ['VAT number', company.vrn === '' ? 'Not known' : formatVrn(company.vrn)],
    ['Period', periodText(advance.period_start, advance.period_end)],
    ['Return', advance.found_on === null ? 'Filed here' : 'Filed with other software'],
    ...(advance.found_on === null ? [] : [['Received by HMRC', formatDate(advance.found_on)] satisfies [string, ReactNode]]),
    ['Refund', formatPounds(advance.refund_pence)],
    [`Fee (${advance.fee_rate_bps / 100}%, at least £5)`, formatPounds(advance.fee_pence)],
    ['Payout', formatPounds(advance.net_pence)],
    ['Received from HMRC', formatPounds(advance.received_pence)],
    ['Quoted', <InstantText key="quoted" at={advance.quoted_at} />],
    ['Pay by', <InstantText key="pay-by" at={advance.pay_by} />],
  ];
  if (advance.agreement.accepted_at) {
    facts.push(
      ['Accepted', <InstantText key="accepted" at={advance.agreement.accepted_at} />],
      ['Accepted by', advance.agreement.accepted_by ?? 'Not known'],
      ['Agreement version', String(advance.agreement.version)],
      ['Agreement (SHA-256)', <ShortHash key="hash" hash={advance.agreement.hash} what="agreement’s hash" />],
    );
  }
  if (advance.repayment_expected_on) facts.push(['Repayment expected by', formatDate(advance.repayment_expected_on)]);
  if (advance.collection_account) {
    facts.push([
      'Collection account at HMRC',
      advance.collection_account.confirmed_at ? (
        <>
          Confirmed by trader on <InstantText at={advance.collection_account.confirmed_at} />
        </>
      ) : (
        'Not confirmed'
      ),
    ]);
  }
  if (payout) {
    facts.push(
      ['Payout status', payout.status],
      ['Payout reference', payout.reference],
      ['Payout order', payout.payout_id],
      ['Provider’s payout ID', payout.provider_payout_id ?? 'None yet'],
    );
    if (payout.unknown_at) facts.push(['No clear response from bank since', <InstantText key="unknown" at={payout.unknown_at} />]);
    if (payout.failure) facts.push(['Reason for failure', payout.failure]);
  }
  return facts;
}
