/** The bookkeeping program that the client's books are read from: linked to the practice's connection, or connected for this client. */
import { clientBooksApi, type OfferedClientBooks } from '@portal/contract/client-books.ts';
import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import { BOOKS_PROGRAM_NAMES } from '@portal/domain/connected-books/books-programs.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BooksConnectionPanel } from '../../components/books/books-connection-panel.tsx';
import { DraftsCard } from '../../components/books/drafts-card.tsx';
import { useBooksConnection } from '../../components/books/use-books-connection.ts';
import { useDecision } from '../../components/books/use-decision.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { usePermission } from '../../lib/use-permission.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';

export function ClientBooksConnection({ ids }: { ids: ClientIds }) {
  const target = toClientInput(ids);
  const query = useBooksConnection(target);
  return (
    <LoadState query={query} skeleton={<LineSkeleton width="60%" height={20} />}>
      {(state) => (
        <>
          <SectionCard
            title={
              state.connection === null ? 'Books from a bookkeeping program' : `Books from ${BOOKS_PROGRAM_NAMES[state.connection.program]}`
            }
          >
            <BooksConnectionPanel target={target} state={state} returnTo="books" start={<Start ids={ids} available={state.available} />} />
          </SectionCard>
          {state.connection !== null && state.connection.draft_count > 0 && <DraftsCard connection={state.connection} />}
        </>
      )}
    </LoadState>
  );
}

type StartProps = { ids: ClientIds; available: BooksConnectionState['available'] };

function Start({ ids, available }: StartProps) {
  const mayConnect = usePermission(ids.companyId, 'manage_connections');
  const query = useQuery({ ...apiQuery(clientBooksApi.offered, toClientInput(ids)), enabled: mayConnect });
  if (!mayConnect)
    return <Text tone="quiet">Not connected. To connect the client’s books, you need the permission “Manage connections”.</Text>;
  return (
    <LoadState query={query} skeleton={<LineSkeleton width="80%" height={20} />}>
      {({ organisations }) => (
        <Stack gap={16}>
          {organisations.length > 0 ? (
            <LinkForm ids={ids} organisations={organisations} />
          ) : (
            <Text measure>
              Prepare VAT returns from the client’s books in Xero or QuickBooks, and notice what changes.{' '}
              <TextLink to={pageLink('practiceBooks', { company_id: ids.companyId })}>Connect Xero once for all clients</TextLink>
              {available.includes('quickbooks') ? ', or QuickBooks for this client.' : '.'}
            </Text>
          )}
          {available.includes('quickbooks') && <ConnectQuickBooks ids={ids} />}
        </Stack>
      )}
    </LoadState>
  );
}

function toLabel({ name, program, vat_number: vatNumber, is_match: isMatch }: OfferedClientBooks): string {
  const number = vatNumber === null ? '' : `, ${formatVrn(vatNumber)}`;
  return `${name} (${BOOKS_PROGRAM_NAMES[program]}${number})${isMatch ? ': matches' : ''}`;
}

/** An organisation that matches is chosen already; a person confirms it. */
function LinkForm({ ids, organisations }: { ids: ClientIds; organisations: readonly OfferedClientBooks[] }) {
  const target = toClientInput(ids);
  const matching = organisations.filter(({ is_match: isMatch }) => isMatch);
  const [chosen, setChosen] = useState(matching.length === 1 ? String(organisations.findIndex(({ is_match: isMatch }) => isMatch)) : '');
  const link = useDecision(target, ({ program, organisation_id }: OfferedClientBooks) =>
    apiRequest(clientBooksApi.link, { ...target, program, organisation_id }),
  );
  const organisation = chosen === '' ? undefined : organisations[Number(chosen)];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (organisation) link.mutate(organisation);
      }}
    >
      <Stack gap={16}>
        <FieldFrame id="client-organisation" label="Organisation" hint="From the programs that your practice has connected. We only read.">
          <Select
            id="client-organisation"
            aria-describedby="client-organisation-hint"
            value={chosen}
            onChange={({ target: { value } }) => setChosen(value)}
          >
            <option value="">Choose the client’s organisation</option>
            {organisations.map((one, index) => (
              <option key={`${one.program} ${one.organisation_id}`} value={index}>
                {toLabel(one)}
              </option>
            ))}
          </Select>
        </FieldFrame>
        {link.error !== null && (
          <Notice tone="error" title="It wasn’t connected" role="alert">
            {errorText(link.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton isBusy={link.isPending} missing={organisation === undefined ? 'Choose the client’s organisation.' : undefined}>
            Read these books
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

function ConnectQuickBooks({ ids }: { ids: ClientIds }) {
  const connect = useMutation({
    mutationFn: () => apiRequest(clientBooksApi.connect, { ...toClientInput(ids), program: 'quickbooks' }),
    onSuccess: ({ authorize_url: url }) => location.assign(url),
  });
  return (
    <Stack gap={12}>
      {connect.error !== null && (
        <Notice tone="error" title="QuickBooks wasn’t connected" role="alert">
          {errorText(connect.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button variant="outlined" disabled={connect.isPending || connect.isSuccess} onClick={() => connect.mutate()}>
          Connect QuickBooks for this client
        </Button>
      </ButtonRow>
    </Stack>
  );
}
