/** Ends someone's access, after choosing who takes over each of their duties. */
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import { teamApi, type TeamMember } from '@portal/contract/team.ts';
import { DUTIES, type Duty } from '@portal/domain/clients/client.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, apiQuery, apiRequest } from '../../lib/api.ts';
import { DUTY_NAMES, formatClientCount } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { HandOverPlan, NO_ONE, SHARED, Sharers, toChoice, type HandOverException } from './hand-over-plan.tsx';

type DeactivateDialogProps = { companyId: string; person: TeamMember; colleagues: readonly TeamMember[]; onClose: () => void };

export function DeactivateDialog({ companyId, person, colleagues, onClose }: DeactivateDialogProps) {
  const target = { company_id: companyId, user_id: person.user_id ?? '' };
  const name = person.full_name;
  const duties = useQuery(apiQuery(teamApi.duties, target));
  const [chosenByDuty, setChosen] = useState<Readonly<Partial<Record<Duty, string>>>>({});
  const [sharerIds, setSharerIds] = useState<readonly string[]>([]);
  const [exceptions, setExceptions] = useState<readonly HandOverException[]>([]);
  const [isSplit, setSplit] = useState(false);
  const [plan, setPlan] = useState<string>();
  const invalidateClients = useInvalidateClients();
  const queryClient = useQueryClient();
  const heldDuties = duties.data?.duties ?? [];
  const openDuties = heldDuties.filter(({ duty }) => (chosenByDuty[duty] ?? '') === '');
  const isShared = Object.values(chosenByDuty).includes(SHARED);
  const showsPlan = heldDuties.length > 0 && openDuties.length === 0 && (isSplit || isShared) && (!isShared || sharerIds.length > 1);
  // Choices for individual clients count only while the plan shows them.
  const choice = toChoice(chosenByDuty, sharerIds, showsPlan ? exceptions : []);
  const missing = !duties.data
    ? 'Wait until their clients have loaded.'
    : openDuties.length > 0
      ? 'Choose who takes over.'
      : isShared && sharerIds.length < 2
        ? 'Choose at least two people to share the clients.'
        : showsPlan && plan === undefined
          ? 'Check who takes over.'
          : undefined;
  const input = { ...target, ...choice, ...(showsPlan && plan !== undefined ? { plan } : {}) };
  const deactivate = useMutation({
    mutationFn: (shownInput: EndpointInput<typeof teamApi.deactivate>) => apiRequest(teamApi.deactivate, shownInput),
    onSuccess: invalidateClients,
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.code !== 'team.hand_over_changed') return;
      setExceptions([]);
      await Promise.all([teamApi.duties, teamApi.previewHandOver].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));
    },
  });
  const { data: deactivation } = deactivate;
  return (
    <ModalDialog
      open
      small
      heading={deactivation ? `${name} no longer has access` : `Deactivate ${name}`}
      onClose={onClose}
      loading={deactivate.isPending}
      actions={
        deactivation ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} disabled={deactivate.isPending}>
              Cancel
            </Button>
            <SubmitButton tone="error" missing={missing} isBusy={deactivate.isPending} onClick={() => deactivate.mutate(input)}>
              Deactivate
            </SubmitButton>
          </>
        )
      }
    >
      {deactivate.error && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(deactivate.error)}
        </Notice>
      )}
      {deactivation ? (
        <Outcome name={name} done={deactivation} report={getPageLink('memberAccessReport', target)} />
      ) : (
        <LoadState query={duties}>
          {({ clients }) => (
            <Stack gap={16}>
              <Text>
                {name} will be logged out everywhere immediately and won’t be able to open the practice. Their notes and history are kept.
                Their open client tasks go to the person who takes over the client; the others become unassigned. You can reactivate them
                later.
              </Text>
              <Text>
                If {name} can also open a client’s portal, that access ends. So do open invitations that they sent to addresses outside the
                client’s details. Your emails are no longer sent from their own mailbox.
              </Text>
              {clients === 0 ? (
                <Text>{name} has no clients to reassign.</Text>
              ) : (
                <>
                  <HandOver
                    held={DUTIES.flatMap((duty) => heldDuties.filter((item) => item.duty === duty))}
                    colleagues={colleagues}
                    chosen={chosenByDuty}
                    onChange={setChosen}
                  />
                  {isShared && <Sharers colleagues={colleagues} chosen={sharerIds} onChange={setSharerIds} />}
                  {!isSplit && !isShared && openDuties.length === 0 && (
                    <Button variant="text" fit="flush" onClick={() => setSplit(true)}>
                      Choose someone else for individual clients
                    </Button>
                  )}
                  {showsPlan && (
                    <HandOverPlan
                      target={target}
                      choice={choice}
                      colleagues={colleagues}
                      exceptions={exceptions}
                      onExceptions={setExceptions}
                      onPlan={setPlan}
                    />
                  )}
                </>
              )}
            </Stack>
          )}
        </LoadState>
      )}
    </ModalDialog>
  );
}

type HandOverProps = {
  held: readonly { readonly duty: Duty; readonly clients: number }[];
  colleagues: readonly TeamMember[];
  chosen: Readonly<Partial<Record<Duty, string>>>;
  onChange: (chosen: Readonly<Partial<Record<Duty, string>>>) => void;
};

function HandOver({ held, colleagues, chosen, onChange }: HandOverProps) {
  const [first] = held;
  const all = held.every(({ duty }) => chosen[duty] === chosen[first?.duty ?? 'manager']) ? (chosen[first?.duty ?? 'manager'] ?? '') : '';
  return (
    <Stack gap={16}>
      {held.length > 1 && (
        <SuccessorField
          id="successor-all"
          label="Who takes over everything?"
          hint="Or choose for each duty below."
          value={all}
          colleagues={colleagues}
          onChange={(id) => onChange(Object.fromEntries(held.map(({ duty }) => [duty, id])))}
        />
      )}
      {held.map(({ duty, clients }) => (
        <SuccessorField
          key={duty}
          id={`successor-${duty}`}
          label={held.length === 1 ? 'Who takes over?' : DUTY_NAMES[duty]}
          hint={held.length === 1 ? `${DUTY_NAMES[duty]} of ${formatClientCount(clients)}` : formatClientCount(clients)}
          value={chosen[duty] ?? ''}
          colleagues={colleagues}
          onChange={(id) => onChange({ ...chosen, [duty]: id })}
        />
      ))}
    </Stack>
  );
}

type SuccessorFieldProps = {
  id: string;
  label: string;
  hint: string;
  value: string;
  colleagues: readonly TeamMember[];
  onChange: (id: string) => void;
};

function SuccessorField({ id, label, hint, value, colleagues, onChange }: SuccessorFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <Select id={id} value={value} aria-describedby={`${id}-hint`} onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose…</option>
        {colleagues.map((colleague) => (
          <option key={colleague.user_id} value={colleague.user_id ?? ''}>
            {colleague.full_name}
            {colleague.is_you && ' (you)'}
          </option>
        ))}
        {colleagues.length > 1 && <option value={SHARED}>Several people, evenly</option>}
        <option value={NO_ONE}>No one for now</option>
      </Select>
    </FieldFrame>
  );
}

function Outcome({ name, done, report }: { name: string; done: { handed_over: number; left_open: number }; report: string }) {
  const { handed_over: movedCount, left_open: remaining } = done;
  return (
    <Stack gap={16}>
      {movedCount > 0 && <Text>{formatClientCount(movedCount)} reassigned.</Text>}
      {remaining > 0 && <Text>{formatClientCount(remaining)} left unassigned for a duty.</Text>}
      <TextLink to={report}>See what {name} could see and did</TextLink>
    </Stack>
  );
}
