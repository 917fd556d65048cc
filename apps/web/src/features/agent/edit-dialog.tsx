/** Edits the text of a draft. The action and its recipient can't be changed. */
import { agentModeApi, type AgentProposal } from '@portal/contract/agent.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useInvalidateAgent } from './use-agent.ts';

type ProposalAction = AgentProposal['act'];
type EditableTexts = { readonly short: string; readonly long: string };

const toTexts = (action: ProposalAction): EditableTexts =>
  action.kind === 'message'
    ? { short: action.subject, long: action.body }
    : action.kind === 'task'
      ? { short: action.title, long: action.notes }
      : action.kind === 'tag'
        ? { short: action.tag, long: '' }
        : { short: '', long: action.kind === 'note' ? action.text : action.kind === 'propose_advance' ? action.note : '' };

function replaceTexts(action: ProposalAction, { short, long }: EditableTexts): ProposalAction {
  if (action.kind === 'message') return { ...action, subject: short, body: long };
  if (action.kind === 'task') return { ...action, title: short, notes: long };
  if (action.kind === 'tag') return { ...action, tag: short };
  if (action.kind === 'propose_advance') return { ...action, note: long };
  return action.kind === 'note' ? { ...action, text: long } : action;
}

const LABELS = {
  message: ['Subject', 'Message'],
  task: ['Title', 'Notes'],
  tag: ['Tag', null],
  note: [null, 'Note'],
  propose_advance: [null, 'Note to the client (optional)'],
} as const;

type EditDialogProps = { companyId: string; proposal: AgentProposal; onClose: () => void };

export function EditDialog({ companyId, proposal, onClose }: EditDialogProps) {
  const { act, proposal_id: id, version } = proposal;
  const [texts, setTexts] = useState(toTexts(act));
  const invalidate = useInvalidateAgent();
  const save = useMutation({
    mutationFn: () => apiRequest(agentModeApi.edit, { company_id: companyId, proposal_id: id, version, act: replaceTexts(act, texts) }),
    onSuccess: async () => {
      onClose();
      await invalidate();
    },
  });
  const [shortLabel, longLabel] = act.kind in LABELS ? LABELS[act.kind as keyof typeof LABELS] : [null, null];
  return (
    <ConfirmDialog
      heading={`Edit: ${proposal.title}`}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel="Save text"
      errorTitle="The text wasn’t saved"
      wide
    >
      {shortLabel !== null && (
        <FieldFrame id="act-short" label={shortLabel}>
          <TextInput id="act-short" value={texts.short} onChange={({ target }) => setTexts({ ...texts, short: target.value })} />
        </FieldFrame>
      )}
      {longLabel !== null && (
        <FieldFrame
          id="act-long"
          label={longLabel}
          hint={act.kind === 'message' ? '{client}, {practice} and {sender} are filled in when the text is sent.' : undefined}
        >
          <TextArea
            id="act-long"
            rows={10}
            aria-describedby={act.kind === 'message' ? 'act-long-hint' : undefined}
            value={texts.long}
            onChange={({ target }) => setTexts({ ...texts, long: target.value })}
          />
        </FieldFrame>
      )}
    </ConfirmDialog>
  );
}
