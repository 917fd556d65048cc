/** The draft of the next price list. Anyone with the right can edit it, but publishing it takes two people. */
import { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Radio } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './price-list-draft-card.module.css';
import { isSameDraft, parseDraftTexts, toDraftTexts, type DraftTexts, type TierTexts } from './price-list-draft.ts';
import { MODE_LABELS, type PriceLists } from './price-lists-card.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

export function PriceListDraftCard({ data }: { data: PriceLists }) {
  const [newestList] = data.lists;
  const savedTexts = data.draft === null ? undefined : toDraftTexts(data.draft);
  const [texts, setTexts] = useState<DraftTexts | undefined>(savedTexts);
  if (texts === undefined) {
    const createDraft = (): DraftTexts =>
      newestList
        ? { ...toDraftTexts(newestList), effectiveFrom: '' }
        : { mode: 'volume', effectiveFrom: '', tiers: [createTier(0, 'Free', '0'), createTier(1, '', '')] };
    return (
      <SectionCard title="Next price list">
        <Stack>
          <Text>
            A published list never changes. To change prices, draft version {data.next_version}, choose when it applies from, and ask a
            second operator to publish it.
          </Text>
          <ButtonRow>
            <Button variant="outlined" size="small" onClick={() => setTexts(createDraft())}>
              {newestList ? `Draft version ${data.next_version} from version ${newestList.version}` : 'Draft the first version'}
            </Button>
          </ButtonRow>
        </Stack>
      </SectionCard>
    );
  }
  return <DraftForm data={data} saved={savedTexts} texts={texts} onChange={setTexts} />;
}

const createTier = (key: number, name: string, price: string): TierTexts => ({
  key,
  name,
  to: '',
  base: price,
  unit: price,
  included: '0',
});

type DraftFormProps = {
  data: PriceLists;
  saved: DraftTexts | undefined;
  texts: DraftTexts;
  onChange: (texts: DraftTexts | undefined) => void;
};

function DraftForm({ data, saved, texts, onChange }: DraftFormProps) {
  const [isAsking, setIsAsking] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const parsed = parseDraftTexts(texts);
  const isSaved = saved !== undefined && isSameDraft(saved, texts);
  const refresh = () => queryClient.invalidateQueries({ queryKey: [operatorPricingApi.lists.path] });
  const save = useMutation({
    mutationFn: () =>
      'draft' in parsed ? apiRequest(operatorPricingApi.saveDraft, parsed.draft) : Promise.reject(new Error('not readable')),
    onSuccess: () => {
      toast('success', 'Draft saved');
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => apiRequest(operatorPricingApi.deleteDraft, {}),
    onSuccess: () => {
      onChange(undefined);
      return refresh();
    },
  });
  const problems = 'problems' in parsed ? parsed.problems : isSaved ? data.problems : [];
  const error = save.error ?? remove.error;
  return (
    <SectionCard title={`Draft of version ${data.next_version}`}>
      <Stack>
        <ScheduleFields texts={texts} onChange={onChange} />
        <TierFields texts={texts} onChange={onChange} />
        {problems.length > 0 && (
          <Notice tone="warning" title="Fix these before you publish">
            <ul className={styles.problems}>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        )}
        {error && (
          <Notice tone="error" title="Draft not changed" role="alert">
            {getErrorText(error)}
          </Notice>
        )}
        <ButtonRow>
          <Button onClick={() => setIsAsking(true)} disabled={!isSaved || problems.length > 0}>
            Request publication
          </Button>
          <Button variant="outlined" isBusy={save.isPending} disabled={isSaved || !('draft' in parsed)} onClick={() => save.mutate()}>
            Save draft
          </Button>
          <Button variant="text" isBusy={remove.isPending} onClick={() => (saved ? remove.mutate() : onChange(undefined))}>
            Delete draft
          </Button>
        </ButtonRow>
      </Stack>
      {isAsking && <PublishDialog data={data} onClose={() => setIsAsking(false)} />}
    </SectionCard>
  );
}

type FieldsProps = { texts: DraftTexts; onChange: (texts: DraftTexts) => void };

function ScheduleFields({ texts, onChange }: FieldsProps) {
  return (
    <>
      <fieldset className={styles.group}>
        <Text as="legend" weight="medium">
          How connections are charged
        </Text>
        {(['volume', 'graduated'] as const).map((mode) => (
          <Radio
            key={mode}
            name="tier-mode"
            label={MODE_LABELS[mode]}
            checked={texts.mode === mode}
            onChange={() => onChange({ ...texts, mode })}
          />
        ))}
      </fieldset>
      <Row gap={24} align="start">
        <FieldFrame id="effective-from" label="New customers from">
          <TextInput
            id="effective-from"
            type="date"
            widthInCharacters={14}
            value={texts.effectiveFrom}
            onChange={({ target }) => onChange({ ...texts, effectiveFrom: target.value })}
          />
        </FieldFrame>
      </Row>
    </>
  );
}

const COLUMNS = [
  { field: 'name', label: 'Name', width: 14 },
  { field: 'to', label: 'Up to connections', width: 7 },
  { field: 'base', label: 'Base price, £', width: 7 },
  { field: 'included', label: 'Included', width: 6 },
  { field: 'unit', label: 'Each extra, £', width: 6 },
] as const;

function TierFields({ texts, onChange }: FieldsProps) {
  const { tiers } = texts;
  const setTiers = (next: readonly TierTexts[]) => onChange({ ...texts, tiers: next });
  const addTier = () => setTiers([...tiers, createTier(Math.max(...tiers.map(({ key }) => key)) + 1, '', '')]);
  return (
    <fieldset className={styles.group}>
      <Text as="legend" weight="medium">
        Tiers and prices per month, excluding VAT
      </Text>
      <Stack gap={16}>
        {tiers.map((tier, index) => (
          <Row key={tier.key} gap={12} align="start">
            {COLUMNS.map(({ field, label, width }) => {
              const isEnd = field === 'to' && index === tiers.length - 1;
              return (
                <FieldFrame key={field} id={`tier-${tier.key}-${field}`} label={label}>
                  <TextInput
                    small
                    id={`tier-${tier.key}-${field}`}
                    aria-label={`${label} of tier ${index + 1}`}
                    widthInCharacters={width}
                    inputMode={field === 'name' ? 'text' : 'decimal'}
                    value={isEnd ? 'No limit' : tier[field]}
                    disabled={isEnd}
                    onChange={({ target }) => setTiers(tiers.map((item) => (item === tier ? { ...item, [field]: target.value } : item)))}
                  />
                </FieldFrame>
              );
            })}
            {tiers.length > 1 && (
              <Button size="small" variant="text" className={styles.remove} onClick={() => setTiers(tiers.filter((item) => item !== tier))}>
                Remove {tier.name === '' ? `tier ${index + 1}` : tier.name}
              </Button>
            )}
          </Row>
        ))}
      </Stack>
      <ButtonRow>
        <Button size="small" variant="outlined" onClick={addTier}>
          Add a tier
        </Button>
      </ButtonRow>
    </fieldset>
  );
}

function PublishDialog({ data, onClose }: { data: PriceLists; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const send = useApprovalRequest({
    send: () => apiRequest(operatorPricingApi.requestPublication, { reason }),
    onClose,
  });
  const { draft, next_version: version } = data;
  return (
    <ModalDialog
      open
      small
      heading={`Publish version ${version}`}
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton missing={getMissingText([getReasonError(reason)])} isBusy={send.isPending} onClick={() => send.mutate()}>
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        {draft && (
          <Text>
            New customers pay these prices from {formatDate(draft.effective_from)}. {describeExistingLists(data)} Another operator must
            approve. A published list can’t be changed.
          </Text>
        )}
        <ReasonField id="publish-reason" value={reason} onChange={setReason} />
        {send.error && (
          <Text role="alert" tone="error">
            {getErrorText(send.error)}
          </Text>
        )}
      </Stack>
    </ModalDialog>
  );
}

/** Describes the effect on existing customers, who stay on the list they subscribed to. */
function describeExistingLists({ lists }: PriceLists): string {
  const count = lists.reduce((sum, { subscribers }) => sum + subscribers, 0);
  if (count === 0) return 'There are no existing subscribers.';
  return count === 1
    ? 'The 1 existing subscriber keeps its current prices.'
    : `The ${count.toLocaleString('en-GB')} existing subscribers keep their current prices.`;
}
