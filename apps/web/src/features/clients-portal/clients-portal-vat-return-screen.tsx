/**
 * A VAT return sent by the practice: the figures in plain words, buttons to approve it or ask a question, and HMRC's receipt once it has
 * been filed.
 */
import { returnApprovalsApi, type OwnReturnOutput } from '@portal/contract/return-approvals.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { canApprove } from '@portal/domain/vat-returns/return-approval.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { clientDate, clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { periodText } from '../../lib/period-text.ts';
import { useChangedTo } from '../../lib/use-changed-to.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ResultPanel } from '../../ui/result-panel.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ApproveCard } from './approve-card.tsx';
import { NoClientCompany } from './no-client-company.tsx';
import { PlainBoxes } from './plain-boxes-list.tsx';
import { PracticeBrand } from './practice-brand.tsx';
import { QuestionCard } from './question-card.tsx';

export function ClientsPortalVatReturnScreen() {
  const { companyId, isSettled } = useCompanyId();
  const [search] = useSearchParams();
  const input = { company_id: companyId, approval_id: search.get('approval_id') ?? '' };
  const query = useQuery({ ...apiQuery(returnApprovalsApi.ownGet, input), enabled: companyId !== '' && input.approval_id !== '' });
  if (isSettled && companyId === '') return <NoClientCompany page="clientsPortalDashboard" />;
  const home = (
    <TextLink to={getPageLink('clientsPortalDashboard', companyId === '' ? {} : { company_id: companyId })}>
      {clientText('return.home')}
    </TextLink>
  );
  const isMissing = input.approval_id === '' || query.error?.status === 404 || query.error?.status === 400;
  if (isMissing) {
    return (
      <Page title={clientText('return.title')} maxWidth="text" lead={home}>
        <Stack gap={24}>
          {companyId !== '' && <PracticeBrand companyId={companyId} />}
          <Notice tone="info" title={clientText('return.missing')}>
            {clientText('return.missing.text')}
          </Notice>
        </Stack>
      </Page>
    );
  }
  const { data } = query;
  return (
    <Page
      title={data ? clientText('return.title_of', { period: periodText(data.period_start, data.period_end) }) : clientText('return.title')}
      lead={
        data ? (
          <>
            {home} · {data.client}
          </>
        ) : (
          home
        )
      }
      maxWidth="text"
    >
      <Stack gap={24}>
        <PracticeBrand companyId={companyId} />
        <LoadState query={query} skeleton={<CardSkeleton lines={10} />}>
          {(ownReturn) => <OwnReturn data={ownReturn} input={input} />}
        </LoadState>
      </Stack>
    </Page>
  );
}

function OwnReturn({ data, input }: { data: OwnReturnOutput; input: { company_id: string; approval_id: string } }) {
  const { boxes, practice } = data;
  const isOffered = canApprove(data.state) && data.ended_at === null && data.filed_at === null;
  return (
    <Stack gap={24}>
      <Status data={data} />
      <SectionCard
        title={clientText('return.figures')}
        source={clientText('return.source', { practice, date: clientDate(toLondonDate(data.requested_at)) })}
      >
        <Stack gap={16}>
          <div>
            <MoneyText pence={boxes.box5_pence} size="figure" />
            <Text weight="medium">{clientText(`result.${boxes.direction}`)}</Text>
            {boxes.direction === 'payment' && <Text tone="quiet">{clientText('return.due', { date: clientDate(data.due_on) })}</Text>}
          </div>
          {data.reason !== '' && !data.is_outside && <Text measure>{clientText('return.writes', { practice, text: data.reason })}</Text>}
          <PlainBoxes boxes={boxes} />
        </Stack>
      </SectionCard>
      {isOffered && <ApproveCard data={data} input={input} />}
      {data.receipt && <Receipt data={data} receipt={data.receipt} />}
      <QuestionCard data={data} input={input} />
    </Stack>
  );
}

function Status({ data }: { data: OwnReturnOutput }): ReactNode {
  const { practice } = data;
  const isNew = useChangedTo(data.state, ['approved']);
  if (data.filed_at !== null) {
    return (
      <ResultPanel tone="success" title={clientText('return.filed')} isNew={false}>
        <Text>{clientText('return.filed.text', { practice, at: clientInstant(data.filed_at) })}</Text>
      </ResultPanel>
    );
  }
  switch (data.state) {
    case 'approved':
      return (
        <ResultPanel
          tone="success"
          title={data.is_outside ? clientText('return.approved.outside', { practice }) : clientText('return.approved')}
          isNew={isNew}
        >
          <Text>
            {data.is_outside
              ? clientText('return.approved.outside.text', { practice, reason: data.reason })
              : clientText('return.approved.text', { practice, person: data.decided_by ?? '' })}
          </Text>
        </ResultPanel>
      );
    case 'changed':
      return (
        <Notice tone="warning" title={clientText('return.changed')}>
          {data.decided_at === null
            ? clientText('return.changed.undecided', { practice })
            : clientText('return.changed.decided', { practice })}
        </Notice>
      );
    case 'withdrawn':
      return (
        <Notice tone="info" title={clientText('return.withdrawn', { practice })}>
          {clientText('return.withdrawn.text')}
        </Notice>
      );
    case 'queried':
      return (
        <Notice tone="info" title={clientText('return.queried')}>
          {clientText('return.queried.text')}
        </Notice>
      );
    case 'sent':
      return null;
  }
}

function Receipt({ data, receipt }: { data: OwnReturnOutput; receipt: NonNullable<OwnReturnOutput['receipt']> }) {
  return (
    <SectionCard title={clientText('receipt.title')}>
      <FactList
        facts={[
          {
            label: clientText(receipt.source === 'answer' ? 'receipt.received' : 'receipt.found'),
            value: clientInstant(receipt.received_at),
          },
          {
            label: clientText('receipt.number'),
            value: receipt.form_bundle_number ?? clientText('receipt.lost'),
          },
          ...(receipt.charge_ref_number === null ? [] : [{ label: clientText('receipt.charge'), value: receipt.charge_ref_number }]),
          {
            label: clientText('receipt.filed_by'),
            value: clientText('receipt.person', { person: receipt.filed_by, practice: data.practice }),
          },
        ]}
      />
    </SectionCard>
  );
}
