/** Rows in periods that have already been filed: what the user can do with them, and HMRC's limit for correcting them on this return. */
import type { CorrectionsOutput, LateRowOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { REPORT_ERRORS_URL, type CorrectionRoute } from '@portal/domain/vat-returns/correction-routes.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { LateRowTable } from './late-row-table.tsx';
import { CorrectionNoteDialog } from './correction-note-dialog.tsx';
import { getReturnApi, getReturnLink, type ReturnTarget } from './return-api.ts';

export function CorrectionsCard({ input }: { input: ReturnTarget }) {
  const query = useQuery(apiQuery(getReturnApi(input).corrections, input));
  if (!query.data || query.data.periods.length === 0) return null;
  return <Corrections data={query.data} input={input} />;
}

function Corrections({ data, input }: { data: CorrectionsOutput; input: ReturnTarget }) {
  const queryClient = useQueryClient();
  const [selectedIds, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [rowForNote, setRowForNote] = useState<Exclude<CorrectionRoute, 'return'> | null>(null);
  const onSuccess = (output: CorrectionsOutput) => {
    queryClient.setQueryData(apiQuery(getReturnApi(input).corrections, input).queryKey, output);
    void queryClient.invalidateQueries({ queryKey: [getReturnApi(input).get.path] });
    setSelected(new Set());
    setRowForNote(null);
  };
  const decide = useMutation({
    mutationFn: ({ route, note }: { route: CorrectionRoute; note?: string }) =>
      apiRequest(getReturnApi(input).correct, { ...input, keys: [...selectedIds], route, ...(note === undefined ? {} : { note }) }),
    onSuccess,
  });
  const undo = useMutation({
    mutationFn: (correctionId: string) => apiRequest(getReturnApi(input).undoCorrection, { ...input, correction_id: correctionId }),
    onSuccess,
  });
  const isBusy = decide.isPending || undo.isPending;
  const error = decide.error ?? undo.error;
  const toggle = (keys: readonly string[], isOn: boolean) =>
    setSelected(new Set(isOn ? [...selectedIds, ...keys] : [...selectedIds].filter((key) => !keys.includes(key))));
  const openRows = data.periods.flatMap(({ rows }) => rows.filter(({ decision }) => decision === null));
  const hasRows = data.periods.some(({ rows }) => rows.length > 0);
  const isWithin = data.limit?.is_within ?? false;
  return (
    <SectionCard title={hasRows ? 'Earlier periods: rows missing from the filed return' : 'Earlier periods that don’t match your books'}>
      <Stack gap={16}>
        {error && (
          <Notice tone="error" title="We couldn’t save this" role="alert">
            {getErrorText(error)}
          </Notice>
        )}
        <NetError data={data} creditor={input.client_id === undefined ? 'you' : 'the client'} />
        {data.periods.map((period) => (
          <Period key={`${period.obligation_id} ${period.too_old}`} period={period} input={input}>
            <LateRowTable
              label={`Rows for ${periodText(period.period_start, period.period_end)}`}
              rows={period.rows}
              selected={selectedIds}
              toggle={data.can_change && !period.too_old ? toggle : undefined}
              undo={isBusy ? undefined : (row: LateRowOutput) => undo.mutate(row.decision?.correction_id ?? '')}
            />
          </Period>
        ))}
        {data.can_change && openRows.length > 0 && (
          <Row gap={8}>
            {isWithin && (
              <Button
                variant="outlined"
                size="small"
                disabled={selectedIds.size === 0 || isBusy}
                onClick={() => decide.mutate({ route: 'return' })}
              >
                Include in this return
              </Button>
            )}
            <Button
              variant={isWithin ? 'text' : 'outlined'}
              size="small"
              disabled={selectedIds.size === 0 || isBusy}
              onClick={() => setRowForNote('reported')}
            >
              Reported to HMRC
            </Button>
            <Button variant="text" size="small" disabled={selectedIds.size === 0 || isBusy} onClick={() => setRowForNote('left_out')}>
              Not an error
            </Button>
            <Text size="small" tone="quiet">
              {selectedIds.size === 0 ? 'Select rows first' : `${selectedIds.size.toLocaleString('en-GB')} selected`}
            </Text>
          </Row>
        )}
      </Stack>
      {rowForNote !== null && (
        <CorrectionNoteDialog
          route={rowForNote}
          isBusy={isBusy}
          onClose={() => setRowForNote(null)}
          onSave={(note) => decide.mutate({ route: rowForNote, note })}
        />
      )}
    </SectionCard>
  );
}

type PeriodOutput = CorrectionsOutput['periods'][number];

function Period({ period, input, children }: { period: PeriodOutput; input: ReturnTarget; children: ReactNode }) {
  const name = periodText(period.period_start, period.period_end);
  return (
    <Stack gap={8}>
      {period.too_old && (
        <Notice tone="info" title={`Errors in ${name} can no longer be corrected`}>
          The time limit was four years after the end of the period, {formatDate(period.correct_until)}. Input tax that you haven’t claimed
          can be claimed for four years after the return was due.
        </Notice>
      )}
      {period.too_many && (
        <Notice tone="warning" title={`Your books for ${name} are very different from the filed return`}>
          More than 2,000 rows differ. Check that you uploaded the right file.
        </Notice>
      )}
      {period.boxes_differ && (
        <Notice tone="warning" title={`The return for ${name} doesn’t match your books`}>
          <Text>
            It was filed with other software, so we can’t tell which rows differ. Your books may not cover the whole period.{' '}
            <TextLink to={getReturnLink({ ...input, obligation_id: period.obligation_id })}>See the difference in each box</TextLink>. If
            the return is wrong, add an adjustment here for the difference.
          </Text>
        </Notice>
      )}
      {period.rows.length > 0 && children}
    </Stack>
  );
}

function NetError({ data, creditor }: { data: CorrectionsOutput; creditor: string }) {
  const { owed_to_hmrc_pence: toHmrc, owed_to_trader_pence: toTrader, net_error_pence: net, limit } = data;
  const amount = formatPounds(pence(Math.abs(net)));
  const sums = `${formatPounds(toHmrc)} due to HMRC, less ${formatPounds(toTrader)} due to ${creditor}.`;
  if (toHmrc === 0 && toTrader === 0) return null;
  if (limit === null)
    return (
      <Text measure>
        Net error: {amount}. {sums} Upload the books for this period to see whether you can correct it here.
      </Text>
    );
  const limitLabel = formatPounds(limit.limit_pence);
  const box6 = formatPounds(pence(limit.box6_pounds * 100)).replace(/\.00$/, '');
  if (limit.is_within) {
    return (
      <Stack gap={4}>
        <Text measure>
          Net error: <strong>{amount}</strong>. {sums}
        </Text>
        <Text size="small" tone="quiet" measure>
          You can correct up to {limitLabel} on this return: £10,000, or 1% of box 6 ({box6}) if that’s more, up to £50,000. We add the net
          error to box {net >= 0 ? '1' : '4'}. Never include a deliberate error: report it to HMRC. Tell HMRC about careless errors too,
          because that can reduce a penalty.
        </Text>
      </Stack>
    );
  }
  return (
    <Notice tone="warning" title={`The net error is ${amount}. HMRC allows at most ${limitLabel} on this return`}>
      <Stack gap={8}>
        <Text>
          {sums} The limit is £10,000, or 1% of box 6 ({box6}) if that’s more, up to £50,000.
        </Text>
        <Text>
          <TextLink href={REPORT_ERRORS_URL} target="_blank" rel="noreferrer">
            Report these errors to HMRC
          </TextLink>{' '}
          online or with form VAT652, with one line for each period. Then select the rows here and choose “Reported to HMRC”, so that they
          aren’t offered again.
        </Text>
      </Stack>
    </Notice>
  );
}
