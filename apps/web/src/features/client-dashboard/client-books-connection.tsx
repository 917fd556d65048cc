/**
 * The bookkeeping software that the client's books are read from: linked through the practice's connection, or connected for this client
 * alone.
 */
import { clientBooksApi, type OfferedClientBooks } from '@portal/contract/client-books.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BooksConnectionPanel } from '../../components/books/books-connection-panel.tsx';
import { DraftsCard } from '../../components/books/drafts-card.tsx';
import { ReplaceBooks } from '../../components/books/replace-books.tsx';
import { useBooksConnection } from '../../components/books/use-books-connection.ts';
import { useDecision } from '../../components/books/use-decision.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { usePermission } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
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
              state.connection === null ? 'Books from bookkeeping software' : `Books from ${BOOKS_PROVIDER_NAMES[state.connection.program]}`
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
  const [search, setSearch] = useState('');
  const input = { ...toClientInput(ids), ...(search === '' ? {} : { search }) };
  const query = useQuery({ ...apiQuery(clientBooksApi.offered, input), enabled: mayConnect, placeholderData: keepPreviousData });
  if (!mayConnect)
    return <Text tone="quiet">Not connected. To connect the client’s books, you need the “Manage connections” permission.</Text>;
  return (
    <LoadState query={query} skeleton={<LineSkeleton width="80%" height={20} />}>
      {(offer) => (
        <Stack gap={16}>
          {offer.organisations.length > 0 || search !== '' ? (
            <LinkForm ids={ids} offer={offer} search={search} onSearch={setSearch} />
          ) : (
            <Text measure>
              Prepare VAT returns from the client’s books in Xero or QuickBooks, and see what changes.{' '}
              <TextLink to={getPageLink('practiceBooks', { company_id: ids.companyId })}>Connect Xero once for all clients</TextLink>
              {available.includes('quickbooks') ? ', or QuickBooks for this client.' : '.'}
            </Text>
          )}
          {available.includes('quickbooks') && <ConnectQuickBooks ids={ids} />}
        </Stack>
      )}
    </LoadState>
  );
}

function toLabel({ name, program, vat_number: vatNumber, is_unreadable: isUnreadable, is_match: isMatch }: OfferedClientBooks): string {
  const number = vatNumber === null ? (isUnreadable ? ', VAT number not known' : '') : `, ${formatVrn(vatNumber)}`;
  return `${name} (${BOOKS_PROVIDER_NAMES[program]}${number})${isMatch ? ': matches' : ''}`;
}

/** A matching organisation is preselected, but the user must confirm it. */
type Offer = EndpointOutput<typeof clientBooksApi.offered>;
type LinkFormProps = { ids: ClientIds; offer: Offer; search: string; onSearch: (search: string) => void };

function LinkForm({ ids, offer: { organisations, more, own_books: ownBooks }, search, onSearch }: LinkFormProps) {
  const target = toClientInput(ids);
  const matchingOrganisations = organisations.filter(({ is_match: isMatch }) => isMatch);
  const [chosenIndex, setChosen] = useState(
    matchingOrganisations.length === 1 ? String(organisations.findIndex(({ is_match: isMatch }) => isMatch)) : '',
  );
  const [isReplacing, setIsReplacing] = useState(false);
  const link = useDecision(target, ({ program, organisation_id }: OfferedClientBooks) =>
    apiRequest(clientBooksApi.link, { ...target, program, organisation_id, replace: isReplacing }),
  );
  const organisation = chosenIndex === '' ? undefined : organisations[Number(chosenIndex)];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (organisation) link.mutate(organisation);
      }}
    >
      <Stack gap={16}>
        <FieldFrame
          id="client-organisation"
          label="Organisation"
          hint="From the bookkeeping software your practice has connected. We only read data."
        >
          <Select
            id="client-organisation"
            aria-describedby="client-organisation-hint"
            value={chosenIndex}
            onChange={({ target: { value } }) => setChosen(value)}
          >
            <option value="">Choose the client’s organisation</option>
            {organisations.map((organisation, index) => (
              <option key={`${organisation.program} ${organisation.organisation_id}`} value={index}>
                {toLabel(organisation)}
              </option>
            ))}
          </Select>
        </FieldFrame>
        {(more > 0 || search !== '') && (
          <ListSearch
            text={search}
            label="Find an organisation"
            hint={more === 0 ? 'Searches names and VAT numbers' : `${more.toLocaleString('en-GB')} more not shown`}
            onSearch={(text) => {
              onSearch(text);
              setChosen('');
            }}
          />
        )}
        {ownBooks !== null && <ReplaceBooks books={ownBooks} isChosen={isReplacing} onChange={setIsReplacing} />}
        {link.error !== null && (
          <Notice tone="error" title="The organisation wasn’t connected" role="alert">
            {getErrorText(link.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton
            isBusy={link.isPending}
            missing={
              organisation === undefined
                ? 'Choose the client’s organisation.'
                : ownBooks !== null && !isReplacing
                  ? 'Confirm that you want to replace the current books.'
                  : undefined
            }
          >
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
          {getErrorText(connect.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button variant="outlined" disabled={connect.isPending || connect.isSuccess} onClick={() => connect.mutate()}>
          Connect QuickBooks
        </Button>
      </ButtonRow>
    </Stack>
  );
}
