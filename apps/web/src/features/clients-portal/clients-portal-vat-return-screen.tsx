/** A VAT return that the practice sent: the figures in plain words, approve or ask, and HMRC's receipt once it is filed. */
import { returnApprovalsApi, type OwnReturnOutput } from '@portal/contract/return-approvals.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { canApprove } from '@portal/domain/vat-returns/return-approval.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
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
import { RESULT_LABELS } from './plain-boxes.ts';
import { QuestionCard } from './question-card.tsx';

export function ClientsPortalVatReturnScreen() {
  const { companyId, settled } = useCompanyId();
  const [search] = useSearchParams();
  const input = { company_id: companyId, approval_id: search.get('approval_id') ?? '' };
  const query = useQuery({ ...apiQuery(returnApprovalsApi.ownGet, input), enabled: companyId !== '' && input.approval_id !== '' });
  if (settled && companyId === '') return <NoClientCompany page="clientsPortalDashboard" />;
  const home = <TextLink to={pageLink('clientsPortalDashboard', companyId === '' ? {} : { company_id: companyId })}>Your taxes</TextLink>;
  const isMissing = input.approval_id === '' || query.error?.status === 404 || query.error?.status === 400;
  if (isMissing) {
    return (
      <Page title="Your VAT return" maxWidth="text" lead={home}>
        <Notice tone="info" title="We can’t find this return">
          Open it from the newest email about it, or from {home}.
        </Notice>
      </Page>
    );
  }
  const { data } = query;
  return (
    <Page
      title={data ? `VAT return, ${periodText(data.period_start, data.period_end)}` : 'Your VAT return'}
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
      <LoadState query={query} skeleton={<CardSkeleton lines={10} />}>
        {(found) => <OwnReturn data={found} input={input} />}
      </LoadState>
    </Page>
  );
}

function OwnReturn({ data, input }: { data: OwnReturnOutput; input: { company_id: string; approval_id: string } }) {
  const { boxes, practice } = data;
  const isOffered = canApprove(data.state) && data.ended_at === null && data.filed_at === null;
  return (
    <Stack gap={24}>
      <Status data={data} />
      <SectionCard title="The figures" source={`Prepared by ${practice}, sent on ${formatDate(londonDate(data.requested_at))}.`}>
        <Stack gap={16}>
          <div>
            <MoneyText pence={boxes.box5_pence} size="figure" />
            <Text weight="medium">{RESULT_LABELS[boxes.direction]}</Text>
            {boxes.direction === 'payment' && <Text tone="quiet">To reach HMRC by {formatDate(data.due_on)}</Text>}
          </div>
          {data.reason !== '' && !data.is_outside && (
            <Text measure>
              {practice} writes: “{data.reason}”
            </Text>
          )}
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
      <ResultPanel tone="success" title="HMRC has this return" isNew={false}>
        <Text>
          {practice} filed it on <InstantText at={data.filed_at} />.
        </Text>
      </ResultPanel>
    );
  }
  switch (data.state) {
    case 'approved':
      return (
        <ResultPanel tone="success" title={data.is_outside ? `${practice} recorded your approval` : 'Approved'} isNew={isNew}>
          <Text>
            {data.is_outside ? `How: ${data.reason}. ` : `${data.decided_by ?? ''} approved these figures. `}
            {practice} can file them now. If the figures change, {practice} has to send you the new ones.
          </Text>
        </ResultPanel>
      );
    case 'changed':
      return (
        <Notice tone="warning" title="These figures have changed since">
          {data.decided_at === null ? 'They can’t be approved any more.' : 'Your approval no longer counts.'} {practice} will send you the
          new figures.
        </Notice>
      );
    case 'withdrawn':
      return (
        <Notice tone="info" title={`${practice} has withdrawn these figures`}>
          There may be newer ones under “Your taxes”.
        </Notice>
      );
    case 'queried':
      return (
        <Notice tone="info" title="Your question is with your accountant">
          You can still approve the figures below.
        </Notice>
      );
    case 'sent':
      return null;
  }
}

function Receipt({ data, receipt }: { data: OwnReturnOutput; receipt: NonNullable<OwnReturnOutput['receipt']> }) {
  return (
    <SectionCard title="HMRC’s receipt">
      <FactList
        facts={[
          { label: receipt.source === 'answer' ? 'Received by HMRC' : 'Found at HMRC', value: <InstantText at={receipt.received_at} /> },
          {
            label: 'Receipt number',
            value: receipt.form_bundle_number ?? 'HMRC’s response was lost; HMRC has the return with these figures',
          },
          ...(receipt.charge_ref_number === null ? [] : [{ label: 'Charge reference', value: receipt.charge_ref_number }]),
          { label: 'Filed by', value: `${receipt.filed_by}, ${data.practice}` },
        ]}
      />
    </SectionCard>
  );
}
