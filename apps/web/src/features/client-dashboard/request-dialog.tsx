/** Asks the client questions and requests documents, in one request with a due date. */
import { clientRequestsApi } from '@portal/contract/client-requests.ts';
import {
  MAX_ITEM_TEXT_LENGTH,
  MAX_REQUEST_ITEMS,
  MAX_REQUEST_TITLE_LENGTH,
  type RequestItemKind,
} from '@portal/domain/client-requests/client-request.ts';
import { addDays, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';

type Line = { readonly id: string; readonly kind: RequestItemKind; readonly text: string };
type RequestDialogProps = { ids: ClientIds; today: PlainDate; onClose: () => void };

/** Long enough to find the documents, but short enough to remember the request. */
const DEFAULT_DAYS = 14;
const createLine = (kind: RequestItemKind): Line => ({ id: crypto.randomUUID(), kind, text: '' });

export function RequestDialog({ ids, today, onClose }: RequestDialogProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [title, setTitle] = useState('');
  const [dueOn, setDueOn] = useState<string>(addDays(today, DEFAULT_DAYS));
  const [lines, setLines] = useState<readonly Line[]>(() => [createLine('paper')]);
  const queryClient = useQueryClient();
  const toast = useToast();
  const writtenLines = lines.filter(({ text }) => text.trim() !== '');
  const send = useMutation({
    mutationFn: () =>
      apiRequest(clientRequestsApi.create, {
        ...toClientInput(ids),
        request_id: requestId,
        title,
        due_on: dueOn,
        items: writtenLines.map(({ id, kind, text }) => ({ item_id: id, kind, text })),
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [clientRequestsApi.list.path] });
      toast('success', 'Request sent');
      onClose();
    },
  });
  const change = (id: string, values: Partial<Line>) =>
    setLines((all) => all.map((line) => (line.id === id ? { ...line, ...values } : line)));
  const missing =
    title.trim() === ''
      ? 'Enter a title.'
      : parsePlainDate(dueOn) === undefined || dueOn < today
        ? 'Choose today or a later date.'
        : writtenLines.length === 0
          ? 'Ask for at least one item.'
          : undefined;
  return (
    <ModalDialog open heading="New request" onClose={onClose} loading={send.isPending}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined && !send.isPending) send.mutate();
        }}
      >
        <Stack gap={16}>
          {send.error !== null && (
            <Notice tone="error" title="The request wasn’t sent" role="alert">
              {getErrorText(send.error)}
            </Notice>
          )}
          <FieldFrame id="request-title" label="Title">
            <TextInput
              id="request-title"
              placeholder="Accounts to 31 March 2027"
              maxLength={MAX_REQUEST_TITLE_LENGTH}
              value={title}
              onChange={({ target: { value } }) => setTitle(value)}
            />
          </FieldFrame>
          <FieldFrame id="request-due" label="Due date">
            <TextInput
              id="request-due"
              type="date"
              min={today}
              widthInCharacters={14}
              value={dueOn}
              onChange={({ target: { value } }) => setDueOn(value)}
            />
          </FieldFrame>
          <Stack as="ul" gap={12} aria-label="Items">
            {lines.map((line, index) => (
              <li key={line.id}>
                <Row gap={8} align="end">
                  <Select
                    widthInCharacters={10}
                    aria-label={`Type of item ${index + 1}`}
                    value={line.kind}
                    onChange={({ target: { value } }) => change(line.id, { kind: value as RequestItemKind })}
                  >
                    <option value="paper">Document</option>
                    <option value="question">Question</option>
                  </Select>
                  <div style={{ flex: '1 1 220px' }}>
                    <TextInput
                      aria-label={`Item ${index + 1}`}
                      placeholder={line.kind === 'paper' ? 'Bank statement for May 2026' : 'Was the van used privately?'}
                      maxLength={MAX_ITEM_TEXT_LENGTH}
                      value={line.text}
                      onChange={({ target: { value } }) => change(line.id, { text: value })}
                    />
                  </div>
                  {lines.length > 1 && (
                    <Button variant="text" size="small" onClick={() => setLines(lines.filter(({ id }) => id !== line.id))}>
                      Remove <HiddenText>item {index + 1}</HiddenText>
                    </Button>
                  )}
                </Row>
              </li>
            ))}
          </Stack>
          {lines.length < MAX_REQUEST_ITEMS && (
            <Row gap={8}>
              <Button variant="outlined" size="small" onClick={() => setLines([...lines, createLine('paper')])}>
                Add document
              </Button>
              <Button variant="outlined" size="small" onClick={() => setLines([...lines, createLine('question')])}>
                Add question
              </Button>
            </Row>
          )}
          <Row gap={12}>
            <SubmitButton missing={missing} isBusy={send.isPending}>
              Send request
            </SubmitButton>
          </Row>
        </Stack>
      </form>
    </ModalDialog>
  );
}
