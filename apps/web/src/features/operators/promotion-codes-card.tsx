/** The promotion codes and their uses. Creating one needs a second operator; ending one doesn't. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { formatDiscount } from '../../components/pricing/tier-texts.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { PromotionCodeDialog } from './promotion-code-dialog.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';

type PromotionCodes = EndpointOutput<typeof operatorPricingApi.codes>;
type PromotionCode = PromotionCodes['codes'][number];

const STATUS_CHIPS: Readonly<Record<PromotionCode['status'], ComponentProps<typeof StateChip>>> = {
  usable: { label: 'Can be used', icon: 'checkCircle', tone: 'success' },
  not_started: { label: 'Not started', icon: 'clock', tone: 'info' },
  used_up: { label: 'Used up', icon: 'info', tone: 'warning' },
  ended: { label: 'Ended', icon: 'close', tone: 'info' },
};

export function PromotionCodesCard() {
  const query = useQuery(apiQuery(operatorPricingApi.codes, {}));
  const [isCreating, setIsCreating] = useState(false);
  const [endingCode, setEnding] = useState<PromotionCode>();
  return (
    <LoadState query={query}>
      {(data) => (
        <SectionCard
          title="Promotion codes"
          aside={
            <Button size="small" onClick={() => setIsCreating(true)}>
              New code
            </Button>
          }
          source="“Uses” counts the subscriptions that have redeemed the code. Previewing a code doesn’t use it up."
        >
          {data.codes.length === 0 ? (
            <Text>No promotion codes yet. When you create one, a second operator must approve it.</Text>
          ) : (
            <CodeTable codes={data.codes} partners={data.partners} onEnd={setEnding} />
          )}
          {isCreating && <PromotionCodeDialog data={data} onClose={() => setIsCreating(false)} />}
          {endingCode && <EndDialog code={endingCode} onClose={() => setEnding(undefined)} />}
        </SectionCard>
      )}
    </LoadState>
  );
}

type CodeTableProps = Pick<PromotionCodes, 'codes' | 'partners'> & { onEnd: (code: PromotionCode) => void };

function CodeTable({ codes, partners, onEnd }: CodeTableProps) {
  return (
    <RecordTable
      label="Promotion codes"
      rows={codes}
      getKey={({ code }) => code}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Code', layout: 'nowrap', cell: ({ code }) => code },
        { title: 'Discount', layout: 'sentence', cell: formatDiscount },
        { title: 'For', cell: (code) => describeLimits(code, partners) },
        { title: 'First and last day', layout: 'nowrap', cell: describeDays },
        { title: 'Uses', layout: 'numeric', cell: describeUses },
        { title: 'Status', cell: ({ status }) => <StateChip {...STATUS_CHIPS[status]} /> },
        { title: 'Action', layout: 'action', cell: (code) => (code.status === 'ended' ? null : <EndButton code={code} onEnd={onEnd} />) },
      ]}
    />
  );
}

function describeLimits({ tiers, partners: names }: PromotionCode, partners: PromotionCodes['partners']): string {
  const labels = names.map((name) => partners.find((partner) => partner.name === name)?.label ?? name);
  return [tiers.join(', '), labels.join(', ')].filter((text) => text !== '').join('; ') || 'All practices';
}

const describeDays = ({ starts_on: startsOn, ends_on: ends }: PromotionCode): string =>
  ends === null ? `From ${formatDate(startsOn, 'short')}` : `${formatDate(startsOn, 'short')} to ${formatDate(ends, 'short')}`;

const describeUses = ({ uses, max_uses: max }: PromotionCode): string =>
  max === null ? uses.toLocaleString('en-GB') : `${uses.toLocaleString('en-GB')} of ${max.toLocaleString('en-GB')}`;

function EndButton({ code, onEnd }: { code: PromotionCode } & Pick<CodeTableProps, 'onEnd'>) {
  return (
    <Button size="small" variant="outlined" onClick={() => onEnd(code)}>
      End<HiddenText> {code.code}</HiddenText>
    </Button>
  );
}

function EndDialog({ code, onClose }: { code: PromotionCode; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const queryClient = useQueryClient();
  const toast = useToast();
  const end = useMutation({
    mutationFn: () => apiRequest(operatorPricingApi.endCode, { code: code.code, reason }),
    onSuccess: () => {
      toast('success', `${code.code} ended`);
      onClose();
      return queryClient.invalidateQueries({ queryKey: [operatorPricingApi.codes.path] });
    },
  });
  return (
    <ModalDialog
      open
      small
      heading={`End ${code.code}?`}
      loading={end.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getMissingText([getReasonError(reason)])} isBusy={end.isPending} onClick={() => end.mutate()}>
          End code
        </SubmitButton>
      }
    >
      <Stack>
        <Text>
          No more practices will be able to use it.{' '}
          {code.uses === 0 ? 'It hasn’t been used.' : 'Practices that have used it keep their discount.'} It can’t be restarted.
        </Text>
        <ReasonField id="end-reason" value={reason} onChange={setReason} />
        {end.error && (
          <Text role="alert" tone="error">
            {getErrorText(end.error)}
          </Text>
        )}
      </Stack>
    </ModalDialog>
  );
}
