/** Moves existing subscribers to a published list. Shows the effect on each before requesting a second operator's approval. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { priceMovesApi } from '@portal/contract/price-moves.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { PriceLists } from './price-lists-card.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

type Moves = EndpointOutput<typeof priceMovesApi.list>['moves'];
type Move = Moves[number];
type Preview = EndpointOutput<typeof priceMovesApi.preview>;

const CHIPS: Readonly<Record<Move['practices'][number]['status'], ComponentProps<typeof StateChip>>> = {
  noticed: { label: 'Notice given', icon: 'clock', tone: 'info' },
  moved: { label: 'Moved', icon: 'checkCircle', tone: 'success' },
  ended: { label: 'Subscription ended', icon: 'close', tone: 'info' },
  stopped: { label: 'Cancelled', icon: 'close', tone: 'info' },
};

export function PriceMovesCard({ data: { lists } }: { data: PriceLists }) {
  const query = useQuery(apiQuery(priceMovesApi.list, {}));
  const [previewedVersion, setPreviewedVersion] = useState<number>();
  const [moveToStop, setMoveToStop] = useState<Move>();
  const current = lists.find(({ is_current: isCurrent }) => isCurrent);
  const earlierLists = lists.filter(({ version }) => current !== undefined && version < current.version);
  const subscribers = earlierLists.reduce((sum, list) => sum + list.subscribers, 0);
  return (
    <SectionCard
      title="Existing subscribers"
      source="A practice keeps its prices until its first renewal at least 60 days after notice is given."
    >
      <Stack gap={24}>
        {current === undefined || subscribers === 0 ? (
          <Text>No practice is on an earlier price list.</Text>
        ) : (
          <Stack>
            <Text>
              {subscribers.toLocaleString('en-GB')} {subscribers === 1 ? 'practice is' : 'practices are'} on an earlier price list.
            </Text>
            <ButtonRow>
              <Button size="small" variant="outlined" onClick={() => setPreviewedVersion(current.version)}>
                See what version {current.version} means for them
              </Button>
            </ButtonRow>
          </Stack>
        )}
        <LoadState query={query}>
          {({ moves }) => (
            <>
              {moves.map((move) => (
                <MoveSection key={move.move_id} move={move} onStop={() => setMoveToStop(move)} />
              ))}
            </>
          )}
        </LoadState>
      </Stack>
      {previewedVersion !== undefined && <PreviewDialog version={previewedVersion} onClose={() => setPreviewedVersion(undefined)} />}
      {moveToStop && <StopDialog move={moveToStop} onClose={() => setMoveToStop(undefined)} />}
    </SectionCard>
  );
}

type MovingPractice = Move['practices'][number];
const TOO_LATE_CHIP = { label: 'Moves at this renewal', icon: 'clock', tone: 'warning' } as const;
const isStoppable = ({ status, is_too_late: isTooLate }: MovingPractice): boolean => status === 'noticed' && !isTooLate;

/** Describes which practices still move although the move has been cancelled, and why. */
function describeLate(practices: readonly Pick<MovingPractice, 'practice' | 'moves_on'>[]): string {
  const names = practices.map(({ practice, moves_on: day }) => `${practice} on ${formatDate(day)}`).join(', ');
  const count = practices.length;
  return `${count} ${count === 1 ? 'practice moves' : 'practices move'} anyway, because Stripe has the new price and the renewal is within three days: ${names}.`;
}

const formatKeptPrices = (count: number): string => (count === 1 ? '1 practice keeps its price' : `${count} practices keep their prices`);

function MoveSection({ move, onStop }: { move: Move; onStop: () => void }) {
  const isOpen = move.stopped_on === null && (move.noticed_on === null || move.practices.some(isStoppable));
  const latePractices = move.practices.filter(({ is_too_late: isTooLate }) => isTooLate);
  return (
    <Stack>
      <Heading level={3}>Move to version {move.to_version}</Heading>
      <Text size="small" tone="quiet">
        Decided {formatDate(move.decided_on)}.{' '}
        {move.stopped_on !== null
          ? `Cancelled ${formatDate(move.stopped_on)}.`
          : move.noticed_on === null
            ? 'Notices are being sent.'
            : `Notice given to all practices by ${formatDate(move.noticed_on)}.`}
      </Text>
      {move.stopped_on !== null && latePractices.length > 0 && <Text size="small">{describeLate(latePractices)}</Text>}
      {move.practices.length > 0 && <MoveTable move={move} />}
      {isOpen && (
        <ButtonRow>
          <Button size="small" variant="outlined" onClick={onStop}>
            Cancel move
          </Button>
        </ButtonRow>
      )}
    </Stack>
  );
}

const getChip = ({ is_too_late: isTooLate, status }: MovingPractice) => (isTooLate ? TOO_LATE_CHIP : CHIPS[status]);
const describeMoveDay = ({ status, moves_on: day }: MovingPractice): string | null =>
  status === 'noticed' || status === 'moved' ? formatDate(day, 'short') : null;

function MoveTable({ move }: { move: Move }) {
  return (
    <RecordTable
      label={`Practices moving to version ${move.to_version}`}
      rows={move.practices}
      getKey={(row) => row.company_id}
      columns={[
        { title: 'Practice', cell: ({ practice }) => practice },
        { title: 'Status', cell: (row) => <StateChip {...getChip(row)} /> },
        { title: 'Connections', layout: 'numeric', cell: (row) => row.no_connections.toLocaleString('en-GB') },
        { title: 'Old price', layout: 'numeric', cell: (row) => formatPounds(row.from_total_pence) },
        { title: 'New price', layout: 'numeric', cell: (row) => formatPounds(row.to_total_pence) },
        { title: 'Moves on', layout: 'nowrap', cell: describeMoveDay },
      ]}
    />
  );
}

function PreviewDialog({ version, onClose }: { version: number; onClose: () => void }) {
  const query = useQuery(apiQuery(priceMovesApi.preview, { version: String(version) }));
  const [reason, setReason] = useState('');
  const send = useApprovalRequest({
    send: () => apiRequest(priceMovesApi.request, { version, reason: reason.trim() }),
    onClose,
  });
  const problem = query.data?.problem ?? undefined;
  return (
    <ModalDialog
      open
      heading={`Move subscribers to version ${version}`}
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton
          missing={getMissingText([query.data ? problem : 'The prices are being calculated.', getReasonError(reason)])}
          isBusy={send.isPending}
          onClick={() => send.mutate()}
        >
          Request approval
        </SubmitButton>
      }
    >
      <LoadState query={query}>
        {(data) => (
          <Stack>
            <PreviewEffect data={data} />
            {data.problem === null && <ReasonField id="move-reason" value={reason} onChange={setReason} />}
            {send.error && (
              <Notice tone="error" title="Not sent" role="alert">
                {getErrorText(send.error)}
              </Notice>
            )}
          </Stack>
        )}
      </LoadState>
    </ModalDialog>
  );
}

function PreviewEffect({ data }: { data: Preview }) {
  const { practices, from_total_pence: from, to_total_pence: to } = data;
  if (practices.length === 0) return <Text>{data.problem}</Text>;
  return (
    <>
      {data.problem !== null && (
        <Notice tone="warning" title="Not now">
          {data.problem}
        </Notice>
      )}
      <Text>
        Together they pay {formatPounds(from)} a month including VAT, and would pay {formatPounds(to)}. Once a second operator has approved,
        each practice gets an email and a notice in its billing settings. If notice is given today, renewals from{' '}
        {formatDate(data.moves_from)} are at the new prices.
      </Text>
      <RecordTable
        label="Effect on each practice"
        rows={practices}
        getKey={(row) => row.company_id}
        columns={[
          { title: 'Practice', cell: ({ practice }) => practice },
          { title: 'Connections', layout: 'numeric', cell: (row) => row.no_connections.toLocaleString('en-GB') },
          { title: 'Now', layout: 'numeric', cell: (row) => formatPounds(row.from_total_pence) },
          { title: 'Then', layout: 'numeric', cell: (row) => formatPounds(row.to_total_pence) },
          { title: 'Change', layout: 'numeric', cell: (row) => formatChange(row.to_total_pence - row.from_total_pence) },
          {
            title: 'From',
            layout: 'nowrap',
            cell: (row) => (row.ends_at_renewal ? 'Ends before' : formatDate(row.moves_on, 'short')),
          },
        ]}
      />
    </>
  );
}

const formatChange = (change: number): string => (change > 0 ? `+${formatPounds(pence(change))}` : formatPounds(pence(change)));

function StopDialog({ move, onClose }: { move: Move; onClose: () => void }) {
  const [stoppable, latePractices] = [move.practices.filter(isStoppable), move.practices.filter(({ is_too_late: isTooLate }) => isTooLate)];
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const toast = useToast();
  const stop = useMutation({
    mutationFn: () => apiRequest(priceMovesApi.stop, { move_id: move.move_id, reason: reason.trim() }),
    onSuccess: ({ stopped, moving }) => {
      toast('success', [`Move cancelled: ${formatKeptPrices(stopped)}.`, ...(moving.length === 0 ? [] : [describeLate(moving)])].join(' '));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [priceMovesApi.list.path] }),
  });
  return (
    <ModalDialog
      open
      small
      heading={`Cancel the move to version ${move.to_version}?`}
      loading={stop.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getReasonError(reason)} isBusy={stop.isPending} onClick={() => stop.mutate()}>
          Cancel move
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          {formatKeptPrices(stoppable.length)}, and will be notified by email. Practices that have already moved stay on the new list.
        </Text>
        {latePractices.length > 0 && (
          <Notice tone="warning" title="Too late for some">
            {describeLate(latePractices)}
          </Notice>
        )}
        <ReasonField id="stop-reason" value={reason} onChange={setReason} />
        {stop.error && (
          <Notice tone="error" title="The move wasn’t cancelled" role="alert">
            {getErrorText(stop.error)}
          </Notice>
        )}
      </Stack>
    </ModalDialog>
  );
}
