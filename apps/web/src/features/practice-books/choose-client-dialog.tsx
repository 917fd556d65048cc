/** Lets the user choose the client that an organisation belongs to: a suggested one, or any other. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { ownBooks } from '@portal/contract/own-books.ts';
import { practiceBooksApi, type PracticeOrganisation } from '@portal/contract/practice-books.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ReplaceBooks } from '../../components/books/replace-books.tsx';
import { ApiError, apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount, STATUS_NAMES } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import { Text } from '../../ui/text.tsx';
import { describeCandidate } from './organisation-labels.ts';
import { usePracticeBooksChange } from './use-practice-books.ts';

type ChooseClientDialogProps = { companyId: string; organisation: PracticeOrganisation; onClose: () => void };

export function ChooseClientDialog({ companyId, organisation, onClose }: ChooseClientDialogProps) {
  const { program, organisation_id, name, vat_number: vatNumber, candidates } = organisation;
  const [chosenClient, setChosen] = useState(candidates.length === 0 ? OTHER : '');
  const [searchText, setText] = useState('');
  const [otherClient, setOtherClient] = useState<string>();
  const [replacedClient, setReplacedClient] = useState<string>();
  const link = usePracticeBooksChange((client_id: string) =>
    apiRequest(practiceBooksApi.link, {
      company_id: companyId,
      links: [{ program, organisation_id, client_id, replace: replacedClient === client_id }],
    }),
  );
  const q = useDebouncedText(searchText).trim();
  const { data, isFetching } = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: 20 }),
    enabled: q !== '' && otherClient === undefined,
  });
  const foundCompanies = q === '' ? [] : (data?.companies ?? []);
  const clientId = chosenClient === OTHER ? otherClient : chosenClient;
  // If the organisation belongs to another client, the server's error says so.
  const books = candidates.find(({ client_id: id }) => id === clientId)?.own_books ?? findOwnBooks(link.error, clientId);
  const problem =
    clientId === undefined || clientId === ''
      ? 'Choose a client.'
      : books !== null && replacedClient !== clientId
        ? 'Confirm that you want to replace the current books.'
        : undefined;
  return (
    <ModalDialog
      open
      small
      heading={`Which client is ${name}?`}
      onClose={onClose}
      loading={link.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={link.isPending}>
            Cancel
          </Button>
          <SubmitButton isBusy={link.isPending} missing={problem} onClick={() => link.mutate(clientId ?? '', { onSuccess: onClose })}>
            Link
          </SubmitButton>
        </>
      }
    >
      <Stack gap={16}>
        <Text tone="quiet">
          {vatNumber !== null
            ? `Its VAT number is ${formatVrn(vatNumber)}.`
            : organisation.is_unreadable
              ? 'Our access doesn’t include its settings, so we don’t know its VAT number.'
              : 'It doesn’t have a VAT number in the bookkeeping software.'}
        </Text>
        {candidates.length > 0 && (
          <Stack gap={8} role="radiogroup" aria-label="Client">
            {candidates.map((candidate) => (
              <Radio
                key={candidate.client_id}
                name="client"
                label={candidate.client_name}
                hint={describeCandidate(candidate)}
                checked={chosenClient === candidate.client_id}
                onChange={() => setChosen(candidate.client_id)}
              />
            ))}
            <Radio name="client" label="Another client" checked={chosenClient === OTHER} onChange={() => setChosen(OTHER)} />
          </Stack>
        )}
        {chosenClient === OTHER && (
          <SuggestField
            id="organisation-client"
            name="client"
            label="Client"
            hint="Type a name or a reference."
            value={searchText}
            suggestions={
              otherClient === undefined
                ? foundCompanies.map(({ client_id: key, name: label, status }) => ({ key, label, detail: STATUS_NAMES[status] }))
                : []
            }
            listLabel="Clients"
            loadingText={isFetching ? 'Searching…' : undefined}
            announcement={foundCompanies.length > 0 ? `${formatClientCount(foundCompanies.length)} found` : ''}
            note={q !== '' && !isFetching && otherClient === undefined && foundCompanies.length === 0 ? 'No clients match.' : undefined}
            onType={(inputText) => {
              setText(inputText);
              setOtherClient(undefined);
            }}
            onChoose={(key) => {
              setText(foundCompanies.find(({ client_id: id }) => id === key)?.name ?? '');
              setOtherClient(key);
            }}
            onBlur={() => undefined}
          />
        )}
        {books !== null && (
          <ReplaceBooks
            books={books}
            isChosen={replacedClient === clientId}
            onChange={(isChosen) => setReplacedClient(isChosen ? clientId : undefined)}
          />
        )}
        {link.error !== null && (books === null || replacedClient === clientId) && (
          <Notice tone="error" title="The organisation wasn’t linked" role="alert">
            {getErrorText(link.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}

/** Finds the client's existing books in the error that rejected the link. */
function findOwnBooks(error: unknown, clientId: string | undefined) {
  if (!(error instanceof ApiError) || error.code !== 'books.client_has_own_books' || error.details?.['client_id'] !== clientId) return null;
  return ownBooks.safeParse(error.details['own_books']).data ?? null;
}

/** Used instead of a client's ID. */
const OTHER = 'other';
