/** Decisions on one draft: approve, edit or reword its text, or reject it. */
import type { AgentProposal } from '@portal/contract/agent.ts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { RewordAction } from './reword-action.tsx';

/** The button says so if approving sends something outside the practice. */
const APPROVE_LABELS: Partial<Record<AgentProposal['act']['kind'], string>> = {
  message: 'Approve and send',
  propose_advance: 'Approve and propose',
};

type DraftActionsProps = {
  companyId: string;
  proposal: AgentProposal;
  mayManage: boolean;
  mayReword: boolean;
  isBusy: boolean;
  onApprove: () => void;
};

export function DraftActions({ companyId, proposal, mayManage, mayReword, isBusy, onApprove }: DraftActionsProps) {
  const [open, setOpen] = useState<'edit' | 'reject' | null>(null);
  const isOpen = proposal.state === 'open';
  const canEdit = isOpen && ['message', 'note', 'task', 'tag', 'propose_advance'].includes(proposal.act.kind);
  const description = (
    <HiddenText>
      {' '}
      “{proposal.title}” for {proposal.client.name}
    </HiddenText>
  );
  const close = () => setOpen(null);
  return (
    <>
      <Row gap={8}>
        {proposal.act.kind !== 'watch' && (
          <Button size="small" onClick={onApprove} disabled={isBusy}>
            {APPROVE_LABELS[proposal.act.kind] ?? 'Approve'}
            {description}
          </Button>
        )}
        {canEdit && (
          <Button size="small" variant="outlined" onClick={() => setOpen('edit')}>
            Edit{description}
          </Button>
        )}
        {isOpen && mayReword && proposal.has_text && (
          <RewordAction companyId={companyId} proposal={proposal} isBusy={isBusy} about={description} />
        )}
        {isOpen && (
          <Button size="small" variant="text" onClick={() => setOpen('reject')}>
            Reject{description}
          </Button>
        )}
      </Row>
      {open === 'edit' && <EditDialog companyId={companyId} proposal={proposal} onClose={close} />}
      {open === 'reject' && <RejectDialog companyId={companyId} proposals={[proposal]} mayManage={mayManage} onClose={close} />}
    </>
  );
}
