/** Lists what the practice has requested from the client, and the responses. */
import { CLIENT_FILE_PATH, clientFilesApi } from '@portal/contract/client-files.ts';
import { clientRequestsApi, type ClientRequest, type RequestItem } from '@portal/contract/client-requests.ts';
import type { RequestItemState } from '@portal/domain/client-requests/client-request.ts';
import { MAX_ITEM_TEXT_LENGTH } from '@portal/domain/client-requests/client-request.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { FileItem } from '../../components/client-files/file-item.tsx';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { REQUEST_CHIPS, type RequestChip } from '../../components/client-requests/request-chips.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import styles from './requests-card.module.css';

const RequestDialog = lazy(() => import('./request-dialog.tsx').then((file) => ({ default: file.RequestDialog })));

const ITEM_CHIPS: Readonly<Record<RequestItemState, RequestChip>> = {
  open: { label: 'Not answered', icon: 'clock', tone: 'info' },
  answered: { label: 'Answered', icon: 'warning', tone: 'warning' },
  returned: { label: 'Asked again', icon: 'refresh', tone: 'info' },
  accepted: { label: 'Accepted', icon: 'checkCircle', tone: 'success' },
};

type RequestsCardProps = { ids: ClientIds; requests: readonly ClientRequest[]; today: PlainDate };

export function RequestsCard({ ids, requests, today }: RequestsCardProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <SectionCard
      title="Requests"
      aside={
        <Row gap={16}>
          <TextLink to={getPageLink('practiceRequests', { company_id: ids.companyId })}>All clients’ requests</TextLink>
          <Button size="small" variant="outlined" onClick={() => setIsAsking(true)}>
            New request
          </Button>
        </Row>
      }
      source="We remind the client three days before the due date, on the day, and three and seven days after it, until everything is answered."
    >
      {requests.length === 0 ? (
        <Text tone="quiet">No requests yet. Ask for documents and information in one request. Clients can answer on their phone.</Text>
      ) : (
        <Stack as="ul" gap={0} aria-label="Requests">
          {requests.map((request) => (
            <li key={request.request_id} className={styles.request}>
              <Request ids={ids} request={request} today={today} />
            </li>
          ))}
        </Stack>
      )}
      <Suspense fallback={null}>{isAsking && <RequestDialog ids={ids} today={today} onClose={() => setIsAsking(false)} />}</Suspense>
    </SectionCard>
  );
}

/** A change to a request affects the list, the files and the timeline. */
function useRequestChange<Input>(change: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient();
  const paths: readonly unknown[] = [clientRequestsApi.list.path, clientFilesApi.list.path, '/client/timeline'];
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => paths.includes(path) }),
  });
}

function Request({ ids, request, today }: { ids: ClientIds; request: ClientRequest; today: PlainDate }) {
  const { request_id: requestId, title, state, due_on: dueOn, asked_by: asker, asked_at: at, items } = request;
  const cancel = useRequestChange(() => apiRequest(clientRequestsApi.cancel, { ...toClientInput(ids), request_id: requestId }));
  const isOpen = state === 'open' || state === 'answered';
  const acceptedCount = items.filter((item) => item.state === 'accepted').length;
  return (
    <details open={isOpen}>
      <summary className={styles.summary}>
        <Row justify="between" gap={8}>
          <Text as="span" weight="medium">
            {title}
          </Text>
          <StateChip {...REQUEST_CHIPS[state]} />
        </Row>
      </summary>
      <Stack gap={12}>
        <Text size="small" tone="quiet">
          Asked by {asker}, <InstantText at={at} />. Due <DateText date={dueOn} />
          {state === 'open' && dueOn < today && ' (overdue)'}. {acceptedCount} of {items.length} accepted.
        </Text>
        {cancel.error !== null && <Text role="alert">{getErrorText(cancel.error)}</Text>}
        <Stack as="ol" gap={0}>
          {items.map((item) => (
            <li key={item.item_id} className={styles.item}>
              <Item ids={ids} item={item} mayDecide={isOpen} />
            </li>
          ))}
        </Stack>
        {isOpen && (
          <div>
            <Button
              size="small"
              variant="text"
              tone="error"
              fit="flush"
              disabled={cancel.isPending}
              onClick={() => cancel.mutate(undefined)}
            >
              Cancel request <HiddenText>“{title}”</HiddenText>
            </Button>
          </div>
        )}
      </Stack>
    </details>
  );
}

function Item({ ids, item, mayDecide }: { ids: ClientIds; item: RequestItem; mayDecide: boolean }) {
  const { item_id: itemId, text, state, answer, answered_by: answerer, answered_at: at, note, files } = item;
  const [isReopening, setIsReopening] = useState(false);
  const [reasonText, setReasonText] = useState('');
  const decide = useRequestChange((decision: 'accept' | 'ask_again') =>
    apiRequest(clientRequestsApi.decide, {
      ...toClientInput(ids),
      item_id: itemId,
      decision,
      note: decision === 'accept' ? '' : reasonText,
    }),
  );
  const needsCheck = mayDecide && state === 'answered';
  return (
    <Stack gap={8}>
      <Row justify="between" align="start" gap={8}>
        <Text className={styles.text}>{text}</Text>
        <StateChip {...ITEM_CHIPS[state]} />
      </Row>
      {answer !== '' && <Text className={styles.answer}>{answer}</Text>}
      {at !== null && (
        <Text size="small" tone="quiet">
          {answerer ?? 'The client'}, <InstantText at={at} />
        </Text>
      )}
      {state === 'returned' && <Text size="small">You asked again: {note}</Text>}
      {files.length > 0 && (
        <Stack as="ul" gap={0}>
          {files.map((file) => (
            <li key={file.file_id}>
              <FileItem file={file} path={CLIENT_FILE_PATH} query={toClientInput(ids)} />
            </li>
          ))}
        </Stack>
      )}
      {decide.error !== null && (
        <Notice tone="error" title="Your decision wasn’t saved" role="alert">
          {getErrorText(decide.error)}
        </Notice>
      )}
      {needsCheck && !isReopening && (
        <Row gap={8}>
          <Button size="small" disabled={decide.isPending} onClick={() => decide.mutate('accept')}>
            Accept <HiddenText>“{text}”</HiddenText>
          </Button>
          <Button size="small" variant="outlined" onClick={() => setIsReopening(true)}>
            Ask again <HiddenText>for “{text}”</HiddenText>
          </Button>
        </Row>
      )}
      {needsCheck && isReopening && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            decide.mutate('ask_again', { onSuccess: () => setIsReopening(false) });
          }}
        >
          <Stack gap={8}>
            <FieldFrame id={`why-${itemId}`} label="What’s missing?" hint="The client can read this in the portal.">
              <TextInput
                id={`why-${itemId}`}
                maxLength={MAX_ITEM_TEXT_LENGTH}
                aria-describedby={`why-${itemId}-hint`}
                value={reasonText}
                onChange={({ target: { value } }) => setReasonText(value)}
              />
            </FieldFrame>
            <Row gap={8}>
              <SubmitButton
                size="small"
                isBusy={decide.isPending}
                missing={getMissingText([reasonText.trim() === '' ? 'Enter what’s missing.' : undefined])}
                otherActions={
                  <Button size="small" variant="text" onClick={() => setIsReopening(false)}>
                    Cancel
                  </Button>
                }
              >
                Ask again
              </SubmitButton>
            </Row>
          </Stack>
        </form>
      )}
    </Stack>
  );
}
