import { practiceBooksApi, type PracticeOrganisation } from '@portal/contract/practice-books.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ChooseClientDialog } from './choose-client-dialog.tsx';
import { describeCandidate, STATE_LABELS } from './organisation-labels.ts';
import { UnlinkDialog } from './unlink-dialog.tsx';
import { usePracticeBooksChange } from './use-practice-books.ts';

type OrganisationRowsProps = { companyId: string; organisations: readonly PracticeOrganisation[] };

export function OrganisationRows({ companyId, organisations }: OrganisationRowsProps) {
  const [organisationToLink, setOrganisationToLink] = useState<PracticeOrganisation>();
  const [organisationToUnlink, setOrganisationToUnlink] = useState<PracticeOrganisation>();
  return (
    <>
      <RecordTable
        label="Organisations"
        rows={organisations}
        getKey={({ program, organisation_id: id }) => `${program} ${id}`}
        columns={[
          {
            title: 'Organisation',
            cell: ({ name, program }) => (
              <>
                {name}
                <Text size="small" tone="quiet">
                  {BOOKS_PROVIDER_NAMES[program]}
                </Text>
              </>
            ),
          },
          { title: 'VAT number', cell: formatVatNumber },
          { title: 'Client', cell: (organisation) => <Client companyId={companyId} organisation={organisation} /> },
          {
            title: 'Action',
            layout: 'action',
            cell: (organisation) => (
              <Actions
                companyId={companyId}
                organisation={organisation}
                onChoose={() => setOrganisationToLink(organisation)}
                onUnlink={() => setOrganisationToUnlink(organisation)}
              />
            ),
          },
        ]}
      />
      {organisationToLink && (
        <ChooseClientDialog companyId={companyId} organisation={organisationToLink} onClose={() => setOrganisationToLink(undefined)} />
      )}
      {organisationToUnlink && (
        <UnlinkDialog companyId={companyId} organisation={organisationToUnlink} onClose={() => setOrganisationToUnlink(undefined)} />
      )}
    </>
  );
}

function formatVatNumber({ vat_number: number, state, is_unreadable: isUnreadable }: PracticeOrganisation): string {
  if (number !== null) return formatVrn(number);
  return isUnreadable ? 'We don’t have access' : state === 'reading' ? STATE_LABELS.reading : 'None';
}

function Client({ companyId, organisation }: { companyId: string; organisation: PracticeOrganisation }) {
  const { state, client_id: clientId, client_name: name, gone_at: lostAt, candidates } = organisation;
  if (clientId !== null) {
    return (
      <>
        <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: clientId, tab: 'vat' })}>{name}</TextLink>
        {lostAt !== null && (
          <Text size="small" tone="error">
            No access since <InstantText at={lostAt} />. Add it again in {BOOKS_PROVIDER_NAMES[organisation.program]}, or unlink it.
          </Text>
        )}
      </>
    );
  }
  const [first] = candidates;
  if (first === undefined) return <Text tone="quiet">{state === 'reading' ? STATE_LABELS.reading : STATE_LABELS.none}</Text>;
  if (state === 'review' && candidates.length > 1) {
    return (
      <>
        {candidates.length} possible clients
        <Text size="small" tone="quiet">
          {candidates.map(({ client_name: one }) => one).join(', ')}
        </Text>
      </>
    );
  }
  return (
    <>
      {first.client_name}
      <Text size="small" tone="quiet">
        {describeCandidate(first)}
      </Text>
    </>
  );
}

type ActionsProps = { companyId: string; organisation: PracticeOrganisation; onChoose: () => void; onUnlink: () => void };

function Actions({ companyId, organisation, onChoose, onUnlink }: ActionsProps) {
  const { program, organisation_id, state, candidates, name } = organisation;
  const [first] = candidates;
  const confirm = usePracticeBooksChange((client_id: string) =>
    apiRequest(practiceBooksApi.link, {
      company_id: companyId,
      links: [{ program, organisation_id, client_id }],
    }),
  );
  if (state === 'linked' || state === 'gone') {
    return (
      <Button size="small" variant="text" aria-label={`Unlink ${name}`} onClick={onUnlink}>
        Unlink
      </Button>
    );
  }
  if (state === 'reading') return <Text tone="quiet">{STATE_LABELS.reading}</Text>;
  return (
    <Stack gap={8}>
      <Row gap={8}>
        {state === 'sure' && first && (
          <Button
            size="small"
            variant="outlined"
            aria-label={`Confirm that ${name} is ${first.client_name}`}
            disabled={confirm.isPending}
            onClick={() => confirm.mutate(first.client_id)}
          >
            Confirm
          </Button>
        )}
        <Button
          size="small"
          variant={state === 'sure' ? 'text' : 'outlined'}
          aria-label={state === 'sure' ? `Choose another client for ${name}` : `Choose client for ${name}`}
          onClick={onChoose}
        >
          {state === 'sure' ? 'Choose another' : 'Choose client'}
        </Button>
      </Row>
      {confirm.error !== null && (
        <Text size="small" tone="error" role="alert">
          {getErrorText(confirm.error)}
        </Text>
      )}
    </Stack>
  );
}
