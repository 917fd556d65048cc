/** The client's history, newest first. */
import { clientDashboardApi, type TimelineEntry } from '@portal/contract/client-dashboard.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { toClientInput, type ClientIds } from './client-page.ts';
import styles from './timeline-card.module.css';

const ENTRY_ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = {
  change: 'check',
  figures: 'refresh',
  note: 'file',
  message: 'mail',
};
/** How many entries are shown before "Show all". */
const INITIAL_ENTRY_COUNT = 10;

export function TimelineCard({ ids }: { ids: ClientIds }) {
  const query = useQuery(apiQuery(clientDashboardApi.timeline, toClientInput(ids)));
  const [showsAll, setShowsAll] = useState(false);
  return (
    <SectionCard title="Timeline">
      <LoadState query={query} skeleton={<TableSkeleton rows={4} />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Text tone="quiet">No activity yet.</Text>
          ) : (
            <>
              <Stack as="ol" gap={0} aria-label="Timeline">
                {(showsAll ? entries : entries.slice(0, INITIAL_ENTRY_COUNT)).map((entry) => (
                  <Entry key={entry.key} ids={ids} entry={entry} />
                ))}
              </Stack>
              {entries.length > INITIAL_ENTRY_COUNT && !showsAll && (
                <Button variant="text" fit="flush" onClick={() => setShowsAll(true)}>
                  Show all {entries.length}
                </Button>
              )}
            </>
          )
        }
      </LoadState>
    </SectionCard>
  );
}

function Entry({ ids, entry }: { ids: ClientIds; entry: TimelineEntry }) {
  return (
    <li className={styles.entry}>
      <Icon name={ENTRY_ICONS[entry.kind]} size={20} className={styles.icon} />
      <div className={styles.text}>
        <Text weight="medium">{entry.title}</Text>
        {entry.detail !== null && <Detail kind={entry.kind} text={entry.detail} />}
        <Text size="small" tone="quiet">
          <InstantText at={entry.at} />
          {entry.who !== null && `, ${entry.who}`}
        </Text>
        {entry.email_id !== undefined && <RepeatEmail ids={ids} emailId={entry.email_id} title={entry.title} />}
      </div>
    </li>
  );
}

/** An email's recipients, and its text on request: a timeline full of whole emails can't be scanned. */
function Detail({ kind, text }: { kind: TimelineEntry['kind']; text: string }) {
  const end = kind === 'message' ? text.indexOf('\n\n') : -1;
  if (end === -1) return <Text className={styles.detail}>{text}</Text>;
  return (
    <>
      <Text className={styles.detail}>{text.slice(0, end)}</Text>
      <details className={styles.email}>
        <summary>Show the email</summary>
        <Text className={styles.detail}>{text.slice(end).trim()}</Text>
      </details>
    </>
  );
}

/** A client is never sent an email twice automatically: the user must decide. */
function RepeatEmail({ ids, emailId, title }: { ids: ClientIds; emailId: string; title: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const queryClient = useQueryClient();
  const repeat = useMutation({
    mutationFn: () => apiRequest(clientDashboardApi.repeatEmail, { ...toClientInput(ids), email_id: emailId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [clientDashboardApi.timeline.path] });
      setIsOpen(false);
    },
  });
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => setIsOpen(true)}>
        Send again<HiddenText>: {title}</HiddenText>
      </Button>
      {isOpen && (
        <ConfirmDialog
          heading="Send this email again?"
          mutation={repeat}
          onConfirm={() => repeat.mutate()}
          onClose={() => setIsOpen(false)}
          confirmLabel="Send again"
          errorTitle="Nothing was sent"
        >
          <Text>Check the mailbox’s sent items first: if the email is there, the client would get it twice.</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
