/** One case for operators: amounts, next action, decisions, letters and history. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { DirectDebitTable } from '../../components/shortfalls/direct-debit-table.tsx';
import { InstalmentTable } from '../../components/shortfalls/instalment-table.tsx';
import { CAUSE_LABELS, getMandateLabel, SHORTFALL_CHIPS } from '../../components/shortfalls/shortfall-labels.ts';
import { ShortfallHistory } from '../../components/shortfalls/shortfall-history.tsx';
import { FactList, type Fact } from '../../ui/fact-list.tsx';
import { MainAndAside, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ACTING_PARTY_LABELS } from './acting-party-labels.ts';
import type { OperatorShortfallProps } from './operator-shortfall-props.ts';
import { OwnerCard } from './owner-card.tsx';
import { RetryDirectDebitCard } from './retry-direct-debit-card.tsx';
import { ShortfallDecisionCard } from './shortfall-decision-card.tsx';

const REFRESH_MS = 10_000;

export function ShortfallScreen() {
  const [search] = useSearchParams();
  const input = { company_id: search.get('company_id') ?? '', shortfall_id: search.get('shortfall_id') ?? '' };
  const isNamed = input.company_id !== '' && input.shortfall_id !== '';
  const query = useQuery({ ...apiQuery(shortfallsApi.operatorGet, input), enabled: isNamed, refetchInterval: REFRESH_MS });
  return (
    <Page
      title={query.data?.company.name ?? 'Shortfall'}
      lead={
        <>
          <TextLink to={getPageLink('adminShortfalls')}>Back to shortfalls</TextLink>
          {query.data && (
            <>
              {' · '}
              <TextLink to={getPageLink('adminCompany', { company_id: input.company_id })}>Open company</TextLink>
            </>
          )}
        </>
      }
      actions={query.data ? <StateChip {...SHORTFALL_CHIPS[query.data.shortfall.status]} /> : undefined}
    >
      {isNamed ? (
        <LoadState query={query}>{(data) => <Case data={data} />}</LoadState>
      ) : (
        <Notice tone="warning" title="Case not found">
          This link doesn’t include a case. Open one from the list.
        </Notice>
      )}
    </Page>
  );
}

function Case({ data }: OperatorShortfallProps) {
  const { shortfall } = data;
  const action = shortfall.next_action;
  return (
    <MainAndAside>
      <Stack gap={24}>
        {action && (
          <Notice tone="info" title={`${ACTING_PARTY_LABELS[action.by]}: ${action.text}`} role="status">
            {action.due_on === null ? 'No date set.' : `By ${formatDate(action.due_on)}.`}
          </Notice>
        )}
        <RetryDirectDebitCard data={data} />
        <ShortfallDecisionCard data={data} />
        {shortfall.dispute && (
          <SectionCard title="The trader’s dispute">
            <Text>{shortfall.dispute.reason}</Text>
            <Text size="small" tone="quiet">
              <InstantText at={shortfall.dispute.at} />
            </Text>
          </SectionCard>
        )}
        {shortfall.instalments.length > 0 && (
          <SectionCard title="Instalments">
            <InstalmentTable instalments={shortfall.instalments} />
          </SectionCard>
        )}
        {shortfall.direct_debits.length > 0 && (
          <SectionCard title="Direct Debits">
            <DirectDebitTable directDebits={shortfall.direct_debits} />
          </SectionCard>
        )}
        <ShortfallHistory events={shortfall.events} />
      </Stack>
      <Stack gap={24}>
        <SectionCard title="Amounts">
          <FactList facts={listFacts(data)} />
        </SectionCard>
        <OwnerCard data={data} />
        <LettersCard data={data} />
      </Stack>
    </MainAndAside>
  );
}

function LettersCard({ data }: OperatorShortfallProps) {
  const { letters } = data.shortfall;
  return (
    <SectionCard title="Letters sent">
      {letters.length === 0 ? (
        <Text>None yet.</Text>
      ) : (
        <Stack as="ul" gap={8}>
          {letters.map((letter) => (
            <li key={letter.letter_id}>
              <TextLink to={getPageLink('shortfallLetter', { company_id: data.company.company_id, letter_id: letter.letter_id })}>
                {letter.heading}
              </TextLink>
              <Text size="small" tone="quiet">
                <InstantText at={letter.at} />
              </Text>
            </li>
          ))}
        </Stack>
      )}
    </SectionCard>
  );
}

function listFacts({ company, shortfall }: OperatorShortfallProps['data']): Fact[] {
  const advance = getPageLink('adminAdvance', { company_id: company.company_id, advance_id: shortfall.advance_id });
  return [
    { label: 'Refund bought', value: formatPounds(shortfall.refund_pence) },
    { label: 'Received', value: formatPounds(shortfall.received_pence) },
    { label: 'Owed by the trader', value: formatPounds(shortfall.owed_pence) },
    ...(shortfall.suspected_pence > 0 ? [{ label: 'Possible shortfall', value: formatPounds(shortfall.suspected_pence) }] : []),
    { label: 'Cause', value: CAUSE_LABELS[shortfall.cause] },
    { label: 'What we know', value: shortfall.cause_text },
    { label: 'Due by', value: shortfall.due_on === null ? 'Nothing is due' : formatDate(shortfall.due_on) },
    { label: 'Payment reference', value: shortfall.reference },
    { label: 'Direct Debit', value: shortfall.mandate ? getMandateLabel(shortfall.mandate.status) : 'Not set up' },
    { label: 'VAT number', value: company.vrn === '' ? 'Not known' : formatVrn(company.vrn) },
    { label: 'Period', value: <TextLink to={advance}>{periodText(shortfall.period_start, shortfall.period_end)}</TextLink> },
    { label: 'Opened', value: <InstantText at={shortfall.opened_at} /> },
  ];
}
