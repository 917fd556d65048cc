/**
 * Lists what the practice has requested from the client. Each item is answered on its own, so nothing gets lost and there is no final
 * submit.
 */
import { CLIENT_FILE_PATH, CLIENT_FILE_UPLOAD_PATH, clientFilesApi } from '@portal/contract/client-files.ts';
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { clientRequestsApi, type ClientRequest, type RequestItem } from '@portal/contract/client-requests.ts';
import { engagementApi } from '@portal/contract/engagement.ts';
import { isWaitingForClient, MAX_ANSWER_LENGTH } from '@portal/domain/client-requests/client-request.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileItem } from '../../components/client-files/file-item.tsx';
import { FilePicker } from '../../components/client-files/file-picker.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { clientDate, clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './clients-portal.module.css';

type RequestParties = { companyId: string; practice: string };

function useInvalidateRequests(): () => Promise<void> {
  const queryClient = useQueryClient();
  const paths: readonly unknown[] = [clientRequestsApi.list.path, clientFilesApi.list.path, clientPortalApi.overview.path];
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => paths.includes(path) });
}

export function Requests({ companyId, practice }: RequestParties) {
  const ids = { company_id: companyId, client_id: companyId };
  const query = useQuery(apiQuery(clientRequestsApi.list, ids));
  // A letter to sign is shown below the requests, and the practice is waiting for that too.
  const lettersQuery = useQuery(apiQuery(engagementApi.list, ids));
  const isLetterDone = lettersQuery.data?.letters.every(({ state }) => state !== 'unsigned') ?? false;
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
      {({ requests, today }) => {
        const current = requests.filter(({ state }) => state !== 'completed');
        const completed = requests.filter(({ state }) => state === 'completed');
        const isNothingOpen = isLetterDone && current.every(({ state }) => state !== 'open');
        if (!isNothingOpen && requests.length === 0) return null;
        return (
          <Stack gap={24}>
            {isNothingOpen && <Text tone="quiet">{clientText('requests.none', { practice })}</Text>}
            {current.map((request) => (
              <Request key={request.request_id} request={request} today={today} companyId={companyId} practice={practice} />
            ))}
            {completed.length > 0 && (
              <details className={styles.later}>
                <summary>{clientText('requests.done', { count: completed.length })}</summary>
                <Stack gap={24}>
                  {completed.map((request) => (
                    <Request key={request.request_id} request={request} today={today} companyId={companyId} practice={practice} />
                  ))}
                </Stack>
              </details>
            )}
          </Stack>
        );
      }}
    </LoadState>
  );
}

function Request({ request, today, ...party }: RequestParties & { request: ClientRequest; today: PlainDate }) {
  const { title, items, due_on: dueOn, state, asked_by: asker } = request;
  const remaining = items.filter((item) => isWaitingForClient(item.state)).length;
  const date = clientDate(dueOn);
  return (
    <SectionCard title={title}>
      <Stack gap={16}>
        <div>
          {state === 'open' && (
            <Text weight="medium" tone={dueOn < today ? 'error' : undefined}>
              {clientText(dueOn < today ? 'requests.late' : 'requests.due', { date })}
            </Text>
          )}
          <Text>
            {state === 'open' && clientText('requests.state.open', { count: remaining })}
            {state === 'answered' && clientText('requests.state.answered', { practice: party.practice })}
            {state === 'completed' && clientText('requests.state.completed')}
          </Text>
          <Text size="small" tone="quiet">
            {clientText('requests.asked', { person: asker })}
          </Text>
        </div>
        <Stack as="ol" gap={0}>
          {items.map((item) => (
            <li key={item.item_id} className={styles.item}>
              <Item item={item} {...party} />
            </li>
          ))}
        </Stack>
      </Stack>
    </SectionCard>
  );
}

function Item({ item, companyId, practice }: RequestParties & { item: RequestItem }) {
  const { item_id: itemId, kind, text, state, answer, note, files } = item;
  const [isWriting, setIsWriting] = useState(false);
  const invalidate = useInvalidateRequests();
  const ids = { company_id: companyId, client_id: companyId };
  const isOpen = isWaitingForClient(state);
  const showsForm = state !== 'accepted' && (isWriting || (kind === 'question' && isOpen));
  return (
    <Stack gap={12}>
      <Row justify="between" align="start" gap={8}>
        <Text weight="medium" className={styles.person}>
          {text}
        </Text>
        {state === 'answered' && <StateChip label={clientText('requests.item.answered')} icon="check" tone="info" />}
        {state === 'accepted' && <StateChip label={clientText('requests.item.accepted')} icon="checkCircle" tone="success" />}
      </Row>
      {state === 'returned' && <Notice tone="warning" title={clientText('requests.item.returned', { practice, note })} />}
      {answer !== '' && !showsForm && <Text className={styles.written}>{answer}</Text>}
      {files.length > 0 && (
        <Stack as="ul" gap={0}>
          {files.map((file) => (
            <li key={file.file_id}>
              <FileItem file={file} path={CLIENT_FILE_PATH} query={ids} />
            </li>
          ))}
        </Stack>
      )}
      {kind === 'paper' && state !== 'accepted' && (
        <FilePicker
          path={CLIENT_FILE_UPLOAD_PATH}
          query={{ ...ids, request_item_id: itemId }}
          what={text}
          isSecondary={!isOpen}
          onSent={invalidate}
        />
      )}
      {showsForm && <AnswerForm item={item} companyId={companyId} practice={practice} onSent={() => setIsWriting(false)} />}
      {!showsForm && state !== 'accepted' && (kind === 'question' || files.length === 0) && (
        <div>
          <Button
            size="small"
            variant="text"
            fit="flush"
            aria-label={answer === '' ? clientText('requests.no_paper_for', { what: text }) : undefined}
            onClick={() => setIsWriting(true)}
          >
            {clientText(answer === '' ? 'requests.no_paper' : 'requests.change')}
          </Button>
        </div>
      )}
    </Stack>
  );
}

function AnswerForm({ item, companyId, practice, onSent }: RequestParties & { item: RequestItem; onSent: () => void }) {
  const { item_id: itemId, kind, text, answer: sentAnswer } = item;
  const [answerText, setAnswer] = useState(sentAnswer);
  const invalidate = useInvalidateRequests();
  const send = useMutation({
    mutationFn: () => apiRequest(clientRequestsApi.answer, { company_id: companyId, item_id: itemId, answer: answerText }),
    onSuccess: async () => {
      await invalidate();
      onSent();
    },
  });
  const id = `answer-${itemId}`;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (answerText.trim() !== '' && !send.isPending) send.mutate();
      }}
    >
      <Stack gap={12}>
        {send.error !== null && (
          <Notice tone="error" title={clientText('requests.failed')} role="alert">
            {getErrorText(send.error)}
          </Notice>
        )}
        <FieldFrame id={id} label={kind === 'paper' ? clientText('requests.why', { practice }) : clientText('requests.answer')}>
          <TextArea
            id={id}
            rows={3}
            maxLength={MAX_ANSWER_LENGTH}
            aria-label={clientText('requests.answer_for', { what: text })}
            value={answerText}
            onChange={({ target: { value } }) => setAnswer(value)}
          />
        </FieldFrame>
        <Row gap={8}>
          <SubmitButton missing={answerText.trim() === '' ? clientText('requests.write_first') : undefined} isBusy={send.isPending}>
            {clientText(send.isPending ? 'requests.sending' : 'requests.send')}
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
