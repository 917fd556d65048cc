/** The letter of engagement with this client: its state, and a button to send it. */
import { engagementApi, LETTER_FILE_PATH, type EngagementLetter } from '@portal/contract/engagement.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import type { LetterState } from '@portal/domain/engagement/engagement-letter.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import type { Role } from '../../core/tokens.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { usePermission } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import styles from './requests-card.module.css';

const CHIPS: Readonly<Record<LetterState, { readonly label: string; readonly icon: IconName; readonly tone: Role }>> = {
  none: { label: 'Not sent', icon: 'info', tone: 'info' },
  unsigned: { label: 'Not signed yet', icon: 'clock', tone: 'warning' },
  signed: { label: 'Signed', icon: 'checkCircle', tone: 'success' },
  superseded: { label: 'Superseded', icon: 'close', tone: 'info' },
};

export function LettersCard({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(engagementApi.list, toClientInput(ids)));
  const [isSending, setIsSending] = useState(false);
  const maySend = usePermission(ids.companyId, 'invite_clients');
  const draft = query.data?.draft ?? null;
  const state: LetterState = query.data?.letters[0]?.state ?? 'none';
  return (
    <SectionCard
      title="Letter of engagement"
      aside={query.data !== undefined && <StateChip {...CHIPS[state]} />}
      source="We keep the text, who signed it, when and from which IP address, with a checksum that reveals any later change."
    >
      <LoadState query={query} skeleton={<TableSkeleton rows={2} />}>
        {({ letters }) => (
          <Stack gap={16}>
            {letters.length === 0 && <Text tone="quiet">No letter sent yet.</Text>}
            {letters.length > 0 && (
              <Stack as="ul" gap={0}>
                {letters.map((letter) => (
                  <li key={letter.letter_id} className={styles.request}>
                    <Letter ids={ids} letter={letter} />
                  </li>
                ))}
              </Stack>
            )}
            {maySend && draft !== null && (
              <div>
                <Button size="small" variant="outlined" onClick={() => setIsSending(true)}>
                  {letters.length === 0 ? 'Send letter' : 'Send a new letter'}
                </Button>
              </div>
            )}
            {maySend && draft === null && (
              <div>
                <Button size="small" variant="outlined" to={`${getSettingsPath('practice')}?company_id=${ids.companyId}`}>
                  Write your letter in Settings
                </Button>
              </div>
            )}
          </Stack>
        )}
      </LoadState>
      {isSending && draft !== null && (
        <SendDialog ids={ids} draft={draft} replacesSigned={state === 'signed'} onClose={() => setIsSending(false)} />
      )}
    </SectionCard>
  );
}

function Letter({ ids, letter }: { ids: ClientIds; letter: EngagementLetter }) {
  const { letter_id: letterId, sent_by: sender, sent_at: sentAt, signed_name: name, signed_at: signedAt, state } = letter;
  return (
    <Row justify="between" gap={8}>
      <div className={styles.text}>
        <Text>
          {signedAt === null ? CHIPS[state].label : `Signed by ${name ?? 'the client'}`}
          {signedAt !== null && (
            <>
              , <InstantText at={signedAt} />
            </>
          )}
          {signedAt !== null && state === 'superseded' && ' (superseded)'}
        </Text>
        <Text size="small" tone="quiet">
          Sent by {sender}, <InstantText at={sentAt} />
        </Text>
      </div>
      <DownloadButton
        path={LETTER_FILE_PATH}
        query={{ ...toClientInput(ids), letter_id: letterId }}
        label="PDF"
        name="PDF of the letter of engagement"
      />
    </Row>
  );
}

type SendDialogProps = { ids: ClientIds; draft: string; replacesSigned: boolean; onClose: () => void };

function SendDialog({ ids, draft, replacesSigned, onClose }: SendDialogProps) {
  const [letterId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const toast = useToast();
  const send = useMutation({
    mutationFn: () => apiRequest(engagementApi.send, { ...toClientInput(ids), letter_id: letterId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [engagementApi.list.path] });
      toast('success', 'Letter sent');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      heading="Send the letter of engagement"
      mutation={send}
      onConfirm={() => send.mutate()}
      onClose={onClose}
      confirmLabel="Send letter"
      errorTitle="The letter wasn’t sent"
      wide
    >
      {replacesSigned && <Notice tone="warning" title="The client has signed the current letter. The new letter will supersede it." />}
      <Text tone="quiet">The client gets an email that doesn’t include the text, and signs this letter in the portal:</Text>
      <Text className={styles.answer}>{draft}</Text>
    </ConfirmDialog>
  );
}
