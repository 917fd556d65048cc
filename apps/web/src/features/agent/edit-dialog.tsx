/** Edits the text of a draft. The action and its recipient can't be changed. */
import { agentModeApi, type AgentProposal } from '@portal/contract/agent.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
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
    <ModalDialog
      open
      heading={`Edit: ${proposal.title}`}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button onClick={() => save.mutate()} disabled={save.isPending}>
            Save text
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        {save.error && (
          <Notice tone="error" title="The text wasn’t saved" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
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
      </Stack>
    </ModalDialog>
  );
}
